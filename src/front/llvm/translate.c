/* The way through a module: declare everything, fill in the initial values, then translate
 * the bodies one by one. Thunks come last: only then is known whose address is taken. */
#include "front/llvm/internal.h"

#include "model/specialise.h"
#include "model/templates.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

const char *plain_name(LLVMValueRef value) {
  size_t length;
  const char *name = LLVMGetValueName2(value, &length);
  return length && name[0] == 1 ? name + 1 : name;
}

/* ---- functions ---- */

static bool has_body(LLVMValueRef function) {
  return !LLVMIsDeclaration(function);
}

static uint32_t function_flags(Translator *t, LLVMValueRef f) {
  LLVMTypeRef type = LLVMGlobalGetValueType(f);
  uint32_t flags = has_body(f) ? FUNCTION_DEFINED : 0;
  if (LLVMIsFunctionVarArg(type)) flags |= FUNCTION_VARARGS;
  if (LLVMGetEnumAttributeAtIndex(f, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                                  t->noreturn_kind))
    flags |= FUNCTION_NORETURN;
  if (has_body(f) && is_named_by_assembly(t, f)) flags |= FUNCTION_PLACED;
  if (LLVMGetLinkage(f) == LLVMInternalLinkage || LLVMGetLinkage(f) == LLVMPrivateLinkage)
    flags |= FUNCTION_INTERNAL;
  return flags;
}

/* A function without a rule that returns a second time, like setjmp: the compiler must be told so of each. */
static bool returns_twice(Translator *t, LLVMValueRef f) {
  return str_eq(plain_name(f), "llvm.eh.sjlj.setjmp") ||
         LLVMGetEnumAttributeAtIndex(f, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                                     t->twice_kind);
}

static bool takes_pointer(LLVMValueRef function) {
  unsigned n = LLVMCountParams(function);
  for (unsigned i = 0; i < n; i++)
    if (LLVMGetTypeKind(LLVMTypeOf(LLVMGetParam(function, i))) == LLVMPointerTypeKind)
      return true;
  return false;
}

static void declare_undefined(Translator *t, LLVMValueRef f, FuncId id) {
  const char *name = plain_name(f);
  const Rule *rule = rules_find(t->rules, name);
  if (rule) {
    declare_effects(t, id, rule);
    format_declare(t, f, id);
    return;
  }
  Function *function = vec_at(&t->p->functions, id);
  function->flags |= FUNCTION_UNKNOWN;
  if (returns_twice(t, f)) function->flags |= FUNCTION_RETURNS_TWICE;
  /* the processor's own operations work on values unless they are handed an address */
  if (str_starts(name, "llvm."))
    function->flags |= takes_pointer(f) ? FUNCTION_QUIET : FUNCTION_QUIET | FUNCTION_PURE;
}

void declare_function(Translator *t, LLVMValueRef f) {
  LLVMTypeRef type = LLVMGlobalGetValueType(f);
  Shape result = shape_of(t, LLVMGetReturnType(type));
  unsigned n = LLVMCountParams(f);
  Function function = {.name = builder_sym(t->b, plain_name(f)),
                       .flags = function_flags(t, f),
                       .return_sort = (uint8_t)result.sort,
                       .return_bits = result.bits,
                       .param_count = n,
                       .first_passing = t->p->passings.len};
  for (unsigned i = 0; i < n; i++) {
    LLVMAttributeRef byval = LLVMGetEnumAttributeAtIndex(f, i + 1, t->byval_kind);
    bool vector = LLVMGetTypeKind(LLVMTypeOf(LLVMGetParam(f, i))) == LLVMVectorTypeKind;
    Passing passing = {0, vector ? 16 : 0};
    if (byval) {
      LLVMTypeRef passed = LLVMGetTypeAttributeValue(byval);
      passing = (Passing){(uint32_t)type_bytes(t, passed),
                          LLVMABIAlignmentOfType(t->layout, passed)};
    }
    vec_push(&t->p->passings, passing);
  }
  FuncId id = t->p->functions.len;
  LLVMMetadataRef subprogram = LLVMGetSubprogram(f);
  if (subprogram && has_body(f)) {
    map_put(&t->subprograms, map_key(subprogram), id);
    function.loc = builder_loc(t->b, file_of_scope(t, subprogram),
                               LLVMDISubprogramGetLine(subprogram), 0);
    LLVMMetadataRef subroutine = metadata_operand(t, subprogram, 4);
    function.type = subroutine ? type_of_metadata(t, subroutine) : 0;
  }
  vec_push(&t->p->functions, function);
  map_put(&t->functions, map_key(f), id);
  if (!has_body(f)) {
    declare_undefined(t, f, id);
  } else {
    const Rule *rule = rules_find(t->rules, plain_name(f));
    if (returns_twice(t, f))
      vec_at(&t->p->functions, id)->flags |= FUNCTION_RETURNS_TWICE;
    if (rule && (rule->flags & RULE_ATOMIC_BODY))
      vec_at(&t->p->functions, id)->flags |= FUNCTION_ATOMIC;
  }
  if (str_eq(plain_name(f), t->start) && has_body(f)) t->p->main = id;
}

/* ---- global variables ---- */

/* The function around a static local, by its debug scope. */
static FuncId owner_of(Translator *t, LLVMMetadataRef scope) {
  for (int depth = 0; scope && depth < 256; depth++) {
    uint64_t owner = map_find(&t->subprograms, map_key(scope), 0);
    if (owner) return (FuncId)owner;
    LLVMMetadataKind kind = LLVMGetMetadataKind(scope);
    if (kind != LLVMDILexicalBlockMetadataKind &&
        kind != LLVMDILexicalBlockFileMetadataKind)
      return 0;
    scope = metadata_operand(t, scope, 1);
  }
  return 0;
}

static Variable global_variable(Translator *t, LLVMValueRef global) {
  Variable v = {0};
  size_t n;
  LLVMValueMetadataEntry *entries = LLVMGlobalCopyAllMetadata(global, &n);
  for (unsigned i = 0; i < n; i++) {
    if (LLVMValueMetadataEntriesGetKind(entries, i) != t->dbg_kind) continue;
    LLVMMetadataRef expression = LLVMValueMetadataEntriesGetMetadata(entries, i);
    v = variable_of_metadata(t, LLVMDIGlobalVariableExpressionGetVariable(expression));
    break;
  }
  LLVMDisposeValueMetadataEntries(entries);
  return v;
}

static void declare_global(Translator *t, LLVMValueRef g) {
  LLVMTypeRef type = LLVMGlobalGetValueType(g);
  Variable v = global_variable(t, g);
  LLVMLinkage linkage = LLVMGetLinkage(g);
  LLVMValueRef initializer = LLVMGetInitializer(g);
  Object object = {.kind = LLVMIsThreadLocal(g) ? OBJECT_TLS : OBJECT_GLOBAL,
                   .name = v.name ? v.name : builder_sym(t->b, plain_name(g)),
                   .type = v.type,
                   .owner = owner_of(t, v.scope),
                   .loc = v.loc,
                   .align = LLVMGetAlignment(g),
                   .size = LLVMTypeIsSized(type) ? type_bytes(t, type) : 0};
  if (!object.align && LLVMTypeIsSized(type))
    object.align = LLVMABIAlignmentOfType(t->layout, type);
  if (LLVMIsGlobalConstant(g)) object.flags |= OBJECT_CONSTANT;
  if (!initializer) object.flags |= OBJECT_EXTERNAL;
  if (variable_is_placed(t, g)) object.flags |= OBJECT_PLACED;
  if (linkage == LLVMInternalLinkage || linkage == LLVMPrivateLinkage)
    object.flags |= OBJECT_INTERNAL;
  if (linkage == LLVMPrivateLinkage && LLVMIsGlobalConstant(g)) {
    object.flags |= OBJECT_LITERAL;
    Sym text = initializer ? literal_name(t, initializer) : 0;
    object.name = text ? text : object.name;
  }
  map_put(&t->objects, map_key(g), t->p->objects.len);
  vec_push(&t->p->objects, object);
}

/* A variable of the library that was declared under another name is the same object. */
static void declare_variable(Translator *t, LLVMValueRef g) {
  LLVMValueRef first = LLVMGetInitializer(g) ? g : variable_same(t, g);
  if (!map_find(&t->objects, map_key(first), 0)) declare_global(t, first);
  map_put(&t->objects, map_key(g), map_find(&t->objects, map_key(first), 0));
}

static void warn_external(Translator *t, LLVMValueRef g) {
  if (LLVMGetInitializer(g) || !LLVMGetFirstUse(g)) return;
  const Object *o = vec_at(&t->p->objects, map_find(&t->objects, map_key(g), 0));
  LocId loc = o->loc;
  for (LLVMUseRef u = LLVMGetFirstUse(g); u && !loc; u = LLVMGetNextUse(u))
    if (LLVMIsAInstruction(LLVMGetUser(u))) loc = loc_of_instruction(t, LLVMGetUser(u));
  builder_assume(t->b, loc, "external variable %s is used by this program alone",
                 sym_text(t->p, o->name));
}

/* ---- start-up lists ---- */

/* llvm.global_ctors and llvm.global_dtors: arrays of {priority, function, data}. And what stands in the sections that they
 * become. */
static void add_startups(Translator *t, const char *name, bool constructors) {
  LLVMValueRef list = LLVMGetNamedGlobal(t->module, name);
  LLVMValueRef entries = list ? LLVMGetInitializer(list) : NULL;
  bool none = !entries || LLVMIsNull(entries);
  uint64_t n = none ? 0 : LLVMGetArrayLength2(LLVMTypeOf(entries));
  StartupVec found = {0};
  for (uint64_t i = 0; i < n; i++) {
    LLVMValueRef entry = LLVMGetAggregateElement(entries, (unsigned)i);
    LLVMValueRef function = function_behind(LLVMGetOperand(entry, 1));
    if (function)
      vec_push(&found,
               (Startup){function_of(t, function),
                         (uint32_t)LLVMConstIntGetZExtValue(LLVMGetOperand(entry, 0))});
  }
  startups_in_sections(t, constructors, &found);
  /* equal priorities: constructors in the order of the program, destructors in reverse */
  for (uint32_t i = 0; !constructors && i < found.len / 2; i++) {
    Startup swap = found.data[i];
    found.data[i] = found.data[found.len - 1 - i];
    found.data[found.len - 1 - i] = swap;
  }
  /* stable order: constructors by rising priority, destructors by falling */
  for (uint32_t i = 1; i < found.len; i++)
    for (uint32_t k = i; k > 0; k--) {
      Startup *a = &found.data[k - 1], *b = &found.data[k];
      bool wrong = constructors ? a->priority > b->priority : a->priority < b->priority;
      if (!wrong) break;
      Startup swap = *a;
      *a = *b;
      *b = swap;
    }
  for (uint32_t i = 0; i < found.len; i++)
    if (constructors)
      vec_push(&t->p->constructors, found.data[i]);
    else
      vec_push(&t->p->destructors, found.data[i]);
  vec_free(&found);
}

static bool is_list(LLVMValueRef global) {
  return str_starts(LLVMGetValueName(global), "llvm.");
}

/* ---- the way through ---- */

static void declare_all(Translator *t) {
  for (LLVMValueRef f = LLVMGetFirstFunction(t->module); f; f = LLVMGetNextFunction(f))
    if (!str_starts(plain_name(f), "llvm.")) /* intrinsics only where they stay calls */
      declare_function(t, f);
  for (LLVMValueRef g = LLVMGetFirstGlobal(t->module); g; g = LLVMGetNextGlobal(g))
    if (!is_list(g)) declare_variable(t, g);
  types_settle(t);
}

static void initialise_all(Translator *t) {
  for (LLVMValueRef g = LLVMGetFirstGlobal(t->module); g; g = LLVMGetNextGlobal(g)) {
    if (is_list(g)) continue;
    warn_external(t, g);
    LLVMValueRef initializer = LLVMGetInitializer(g);
    if (initializer)
      object_initialise(t, (ObjectId)map_find(&t->objects, map_key(g), 0), initializer);
  }
  add_startups(t, "llvm.global_ctors", true);
  add_startups(t, "llvm.global_dtors", false);
}

/* It is called through pointers, which do not tell what its operands are. */
static void forget_rule(Translator *t, LLVMValueRef f) {
  Function *function = vec_at(&t->p->functions, function_of(t, f));
  function->effect_count = 0;
  function->flags =
      (function->flags & ~(uint32_t)(FUNCTION_RULE | FUNCTION_PURE)) | FUNCTION_UNKNOWN;
  builder_assume(t->b, function->loc,
                 "external function %s, of which nothing is known, uses only what its "
                 "arguments reach",
                 plain_name(f));
}

/* Says what is being translated, for the case that it does not end well. */
static void mark_function(Translator *t, TranslateMark *mark, LLVMValueRef f) {
  if (!mark) return;
  const Loc *loc = vec_at(&t->p->locs, vec_at(&t->p->functions, function_of(t, f))->loc);
  mark->line = (int)loc->line;
  snprintf(mark->file, sizeof mark->file, "%s", sym_text(t->p, loc->file));
  snprintf(mark->function, sizeof mark->function, "%s", plain_name(f));
}

static void translate_bodies(Translator *t, TranslateMark *mark) {
  for (LLVMValueRef f = LLVMGetFirstFunction(t->module); f; f = LLVMGetNextFunction(f)) {
    if (!has_body(f)) continue;
    mark_function(t, mark, f);
    function_translate(t, f);
  }
  for (LLVMValueRef f = LLVMGetFirstFunction(t->module); f; f = LLVMGetNextFunction(f)) {
    const Rule *rule = has_body(f) ? NULL : rules_find(t->rules, plain_name(f));
    if (!rule ||
        !(vec_at(&t->p->functions, function_of(t, f))->flags & FUNCTION_ADDRESS_TAKEN))
      continue;
    if (params_are_doubtful(f))
      forget_rule(t, f);
    else if (rule->op != OP_CALL)
      thunk_translate(t, f, rule);
  }
  for (LLVMValueRef f = LLVMGetFirstGlobalIFunc(t->module); f;
       f = LLVMGetNextGlobalIFunc(f))
    if (chooser_of(t, f)) chooser_translate(t, f);
  relays_translate(t);
  types_settle(t);
}

/* Sites are known by number only now. */
static void link_sites(Program *p) {
  for (EdgeId e = 1; e < p->edges.len; e++) {
    const Edge *edge = &p->edges.data[e];
    if ((edge->op == OP_CALL || edge->op == OP_ALLOCA) && edge->aux)
      p->objects.data[edge->aux].site = e;
  }
}

/* Objects whose allocation turned out unreachable are dropped from the model's view. */
static void settle_unused(Program *p) {
  for (ObjectId o = 1; o < p->objects.len; o++) {
    Object *object = &p->objects.data[o];
    if ((object->flags & OBJECT_DYNAMIC) && !object->site)
      *object = (Object){.kind = OBJECT_LIBRARY,
                         .name = object->name,
                         .loc = object->loc,
                         .align = 1,
                         .size = 1};
  }
}

static void count_source(Translator *t, uint32_t files) {
  Map lines = {0};
  for (EdgeId e = 1; e < t->p->edges.len; e++) {
    const Loc *loc = vec_at(&t->p->locs, t->p->edges.data[e].loc);
    if (loc->line) map_put(&lines, (uint64_t)loc->file << 32 | loc->line, 1);
  }
  t->p->file_count = files;
  t->p->line_count = lines.len;
  map_free(&lines);
}

static void translator_free(Translator *t) {
  map_free(&t->objects);
  map_free(&t->functions);
  map_free(&t->types);
  vec_free(&t->type_queue);
  strmap_free(&t->type_keys);
  strmap_free(&t->tags);
  strmap_free(&t->named);
  map_free(&t->scopes);
  map_free(&t->subprograms);
  map_free(&t->labels);
  strmap_free(&t->library);
  map_free(&t->states);
  vec_free(&t->relays);
  strmap_free(&t->results);
  mem_free(t->directory);
  builder_free(t->b);
}

static unsigned attribute_kind(const char *name) {
  return LLVMGetEnumAttributeKindForName(name, strlen(name));
}

static void add_notes(Translator *t, const TranslateRequest *request) {
  for (uint32_t i = 0; i < request->note_count; i++) {
    const BitcodeNote *note = &request->notes[i];
    Sym file = note->file ? builder_sym(t->b, note->file) : 0;
    builder_assume(t->b, builder_loc(t->b, file, (uint32_t)note->line, 0), "%s",
                   note->what);
  }
}

static void add_accepts(Translator *t) {
  uint32_t count;
  const RuleAccept *accepts = rules_accepts(t->rules, &count);
  for (uint32_t i = 0; i < count; i++)
    vec_push(&t->p->accepts,
             (Accept){builder_sym(t->b, accepts[i].name), accepts[i].function});
}

bool translate_bitcode(const TranslateRequest *request, Program *ret_program, Err *err) {
  LLVMContextRef context = LLVMContextCreate();
  LLVMModuleRef module = module_load(context, request, err);
  if (!module)
    return false; /* the child process ends: LLVM's memory need not be returned */
  char *directory = getcwd(NULL, 0);
  Translator t = {.b = builder_new(),
                  .context = context,
                  .module = module,
                  .layout = LLVMGetModuleDataLayout(module),
                  .rules = request->rules,
                  .start = request->start ? request->start : "main",
                  .err = err,
                  .directory = str_dup(directory ? directory : "/"),
                  .dbg_kind = LLVMGetMDKindIDInContext(context, "dbg", 3),
                  .byval_kind = attribute_kind("byval"),
                  .noreturn_kind = attribute_kind("noreturn"),
                  .twice_kind = attribute_kind("returns_twice")};
  t.p = builder_program(t.b);
  note_assembly(&t);
  declare_all(&t);
  initialise_all(&t);
  translate_bodies(&t, request->mark);
  if (request->mark) *request->mark = (TranslateMark){0};
  if (request->start && request->start_open && t.p->main)
    vec_at(&t.p->functions, t.p->main)->flags |= FUNCTION_INTERNAL;
  variables_link(&t);
  link_sites(t.p);
  settle_unused(t.p);
  add_notes(&t, request);
  add_accepts(&t);
  count_source(&t, request->unit_count - (request->start != NULL));
  specialise_functions(t.b, SPECIALISE_COPIES, t.p->edges.len);
  builder_finish(t.b, ret_program);
  templates_compute(ret_program);
  translator_free(&t);
  free(directory);
  return true;
}
