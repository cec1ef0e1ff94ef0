/* Calls: plain ones, library functions by their rules, inline assembly.
 *
 * A function that the library table calls synchronisation becomes one operation of the
 * model. One that the table describes by its effects stays a call, and the effects go with
 * the function. A function that nobody knows stays a call too, and an assumption says so. */
#include "front/llvm/internal.h"

#include <ctype.h>

enum { MAX_RULE_ARGS = 16 };

const Rule *rule_of(Translator *t, LLVMValueRef function) {
  const Rule *rule = rules_find(t->rules, plain_name(function));
  if (!rule || LLVMIsDeclaration(function) || (rule->flags & RULE_ALWAYS)) return rule;
  return NULL;
}

/* ---- library objects ---- */

static ObjectId library_object(Translator *t, const Effect *e) {
  const char *name = rules_text(t->rules, e->name);
  uint64_t *slot = strmap_at(&t->library, name, strlen(name));
  if (*slot) return (ObjectId)*slot;
  Object object = {.kind = e->flags & EFFECT_TLS ? OBJECT_TLS : OBJECT_LIBRARY,
                   .flags = e->flags & EFFECT_SYNCED ? OBJECT_SYNCED : 0,
                   .name = builder_sym(t->b, name),
                   .align = 16,
                   .size = e->size ? e->size : 1};
  *slot = t->p->objects.len;
  vec_push(&t->p->objects, object);
  if (str_eq(name, "errno")) t->p->errno_object = (ObjectId)*slot;
  return (ObjectId)*slot;
}

enum { STATE_CHANGES = 1, STATE_READ = 2 };

/* Notes the states of the library that some function of the module changes, or shows; and
 * those that some read. */
static void note_states(Translator *t) {
  map_put(&t->states, 0, 1);
  for (LLVMValueRef f = LLVMGetFirstFunction(t->module); f; f = LLVMGetNextFunction(f)) {
    const Rule *rule = rules_find(t->rules, plain_name(f));
    const Effect *effects = rule ? rules_effects(t->rules, rule) : NULL;
    for (uint32_t i = 0; rule && i < rule->effect_count; i++)
      if (effects[i].kind == EFFECT_HIDDEN_WRITE ||
          effects[i].kind == EFFECT_RETURN_HIDDEN)
        *map_at(&t->states, effects[i].name) |= STATE_CHANGES;
      else if (effects[i].kind == EFFECT_HIDDEN_READ)
        *map_at(&t->states, effects[i].name) |= STATE_READ;
  }
}

/* What nobody changes need not be told: locales, in a program that never sets one. */
static bool state_changes(Translator *t, Sym name) {
  if (!t->states.len) note_states(t);
  return map_find(&t->states, name, 0) & STATE_CHANGES;
}

/* The rule does more to the library than what no other function could notice. */
static bool is_noticed(Translator *t, const Rule *rule) {
  const Effect *effects = rules_effects(t->rules, rule);
  if (!t->states.len) note_states(t);
  for (uint32_t i = 0; i < rule->effect_count; i++)
    if (effects[i].kind != EFFECT_HIDDEN_WRITE ||
        (map_find(&t->states, effects[i].name, 0) & STATE_READ))
      return true;
  return false;
}

void declare_effects(Translator *t, FuncId id, const Rule *rule) {
  uint32_t first = t->p->effects.len;
  const Effect *effects = rules_effects(t->rules, rule);
  for (uint32_t i = 0; i < rule->effect_count; i++) {
    Effect e = effects[i];
    bool hidden = e.kind == EFFECT_HIDDEN_READ || e.kind == EFFECT_HIDDEN_WRITE;
    bool variable = hidden && (e.flags & EFFECT_VARIABLE);
    if (variable && !variable_find(t, rules_text(t->rules, e.name))) continue;
    if (e.kind == EFFECT_HIDDEN_READ && !variable && !state_changes(t, e.name)) continue;
    if (hidden && !variable && !(e.flags & EFFECT_TLS)) library_object(t, &effects[i]);
    e.name = builder_sym(t->b, rules_text(t->rules, e.name));
    vec_push(&t->p->effects, e);
  }
  Function *f = vec_at(&t->p->functions, id);
  f->first_effect = first;
  f->effect_count = t->p->effects.len - first;
  f->flags |= FUNCTION_RULE;
  if (rule->flags & RULE_NORETURN) f->flags |= FUNCTION_NORETURN;
  if (rule->flags & RULE_PURE) f->flags |= FUNCTION_PURE;
  if (rule->flags & RULE_RETURNS_TWICE) f->flags |= FUNCTION_RETURNS_TWICE;
  if (rule->flags & RULE_FORKS) f->flags |= FUNCTION_FORKS;
}

/* ---- operations by rule ---- */

/* A call as a rule sees it, whether it stands in the program or in a thunk. */
typedef struct {
  const Rule *rule;
  ExprId args[MAX_RULE_ARGS];
  unsigned arg_count;
  Shape result; /* bits 0: none, or nobody looks at it */
  LocalId dst;  /* set when result.bits */
  Sym path;     /* name of what the first operand designates */
} RuleCall;

static uint32_t result_index(Translator *t, const Rule *rule, uint32_t bits) {
  SyncResult r = rule->result;
  r.bits = bits;
  uint64_t *slot = strmap_at(&t->results, (const char *)&r, sizeof r);
  if (!*slot) {
    *slot = t->p->results.len;
    vec_push(&t->p->results, r);
  }
  return (uint32_t)*slot;
}

static ExprId load_through(Translator *t, ExprId pointer) {
  LocalId local = temporary(t, SORT_PTR, 64);
  emit(t, (Edge){.op = OP_LOAD, .a = pointer, .dst = local, .size = 8});
  return builder_local(t->b, local);
}

static ExprId rule_operand(Translator *t, const RuleCall *call, int i) {
  const Rule *rule = call->rule;
  unsigned arg = rule->operands[i];
  if (arg == RULE_OPERAND_NONE) return 0;
  if (arg == RULE_OPERAND_CONST)
    return builder_const(t->b, SORT_INT, 64, (uint64_t)rule->constants[i]);
  if (arg >= call->arg_count) return 0;
  ExprId e = call->args[arg];
  bool attribute = rule->op == OP_LOCK_INIT && i == 1;
  if ((rule->indirect >> i & 1) && !attribute)
    e = load_through(t, builder_as(t->b, e, SORT_PTR));
  else if (attribute && (rule->indirect >> i & 1))
    e = builder_as(t->b, e, SORT_PTR); /* a pointer here means: the attribute's address */
  if (rule->constants[i] && builder_sort(t->b, e) == SORT_INT)
    e = builder_binary(t->b, EXPR_AND, e,
                       builder_const(t->b, SORT_INT, builder_bits(t->b, e),
                                     (uint64_t)rule->constants[i]));
  return e;
}

/* Which operand of each operation must be an address. */
static ExprId fitted(Translator *t, OpKind op, int i, ExprId e) {
  if (!e) return 0;
  const char *what = op_operand(op, i);
  bool integer = builder_sort(t->b, e) == SORT_INT;
  if (str_eq(what, "condition"))
    return builder_compare(
        t->b, EXPR_NE, e,
        builder_const(t->b, builder_sort(t->b, e), builder_bits(t->b, e), 0));
  bool number = str_eq(what, "id") || str_eq(what, "value") || str_eq(what, "count") ||
                str_eq(what, "status") || str_eq(what, "kind") || !*what ||
                str_eq(what, "argument");
  /* without a prototype a null pointer is passed as an int */
  if (!number && integer && builder_bits(t->b, e) <= 64)
    return builder_as(t->b, builder_resize(t->b, e, 64, false), SORT_PTR);
  return e;
}

static bool has_no_successor(OpKind op) {
  return op == OP_EXIT || op == OP_EXIT_THREAD;
}

static bool gives_result_itself(OpKind op) {
  return op == OP_SELF || op == OP_STACK_SAVE;
}

/* The text of a failed assertion, where the call passes it: __assert_fail("v < 5", …). Otherwise
 * the name of the function that stands for the failure. */
static Sym assertion_text(Translator *t, LLVMValueRef call, LLVMValueRef callee) {
  for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++) {
    LLVMValueRef text = LLVMIsAGlobalVariable(LLVMGetOperand(call, i));
    text = text ? LLVMGetInitializer(text) : NULL;
    size_t length;
    if (!text || !LLVMIsAConstantDataSequential(text) || !LLVMIsConstantString(text))
      continue;
    const char *bytes = LLVMGetAsString(text, &length);
    return builder_sym_n(t->b, bytes, strnlen(bytes, length));
  }
  return callee ? builder_sym(t->b, LLVMGetValueName(callee)) : 0;
}

/* The operation of a rule, with its result in call->dst. */
static void rule_operation(Translator *t, RuleCall *call) {
  const Rule *rule = call->rule;
  Edge edge = {.op = rule->op,
               .lock = rule->lock,
               .mode = rule->mode,
               .attempt = rule->attempt,
               .path = call->path};
  ExprId *operands[] = {&edge.a, &edge.b, &edge.c};
  for (int i = 0; i < 3; i++)
    *operands[i] = fitted(t, rule->op, i, rule_operand(t, call, i));
  if (rule->op == OP_ASSERT && (rule->flags & RULE_ABORT))
    edge.a = builder_const(t->b, SORT_INT, 1, 0);
  if (rule->op == OP_JOIN && edge.b) edge.size = rule->size;
  if ((rule->flags & RULE_ABORT) && (rule->op == OP_EXIT || rule->op == OP_ASSERT))
    edge.flags |= EDGE_ABORT;
  if (rule->flags & RULE_QUICK) edge.flags |= EDGE_QUICK;
  if (rule->op == OP_ASSUME || ((rule->flags & RULE_USER) && op_sync_kind(rule->op)))
    edge.flags |= EDGE_USER;
  if (has_no_successor(rule->op)) {
    emit_end(t, edge);
    return;
  }
  if (gives_result_itself(rule->op)) {
    edge.dst = call->dst;
  } else if (!rule->result.no_result && rule->op != OP_ASSERT && rule->op != OP_ASSUME &&
             rule->op != OP_ATOMIC_BEGIN && rule->op != OP_ATOMIC_END) {
    edge.aux = result_index(t, rule, call->dst ? call->result.bits : 32);
    edge.dst = call->dst;
  }
  LocalId dst = edge.dst;
  emit(t, edge);
  if (call->dst && !dst) emit(t, (Edge){.op = OP_HAVOC, .dst = call->dst});
  if (rule->flags & RULE_NORETURN) emit_end(t, (Edge){.op = OP_UNREACHABLE});
}

static ExprId rule_argument(Translator *t, LLVMValueRef value, const Rule *rule,
                            unsigned i) {
  /* a thread's function is not "address taken": the create edge itself says who calls it */
  LLVMValueRef function = function_behind(value);
  bool called = (rule->op == OP_CREATE || rule->op == OP_ONCE) && rule->operands[1] == i;
  if (called && function) return builder_func(t->b, function_of(t, function));
  return value_of(t, value);
}

/* A function that only returns the address of the thread's own library object (errno). */
static bool returns_own_object(Translator *t, LLVMValueRef call, const Rule *rule) {
  const Effect *e = rules_effects(t->rules, rule);
  if (rule->op != OP_CALL || rule->effect_count != 1 || e->kind != EFFECT_RETURN_HIDDEN ||
      !(e->flags & EFFECT_TLS))
    return false;
  set_value(t, call, builder_object(t->b, library_object(t, e)));
  return true;
}

/* ---- plain calls ---- */

static bool is_used(LLVMValueRef v) {
  return LLVMGetFirstUse(v) != NULL;
}

static Passing passing_at(Translator *t, LLVMValueRef call, unsigned i) {
  LLVMAttributeRef byval = LLVMGetCallSiteEnumAttribute(call, i + 1, t->byval_kind);
  LLVMTypeRef passed = LLVMTypeOf(LLVMGetOperand(call, i));
  if (!byval) return (Passing){0, LLVMGetTypeKind(passed) == LLVMVectorTypeKind ? 16 : 0};
  LLVMTypeRef type = LLVMGetTypeAttributeValue(byval);
  return (Passing){(uint32_t)type_bytes(t, type),
                   LLVMABIAlignmentOfType(t->layout, type)};
}

static void add_arguments(Translator *t, LLVMValueRef call, Edge *edge) {
  unsigned n = LLVMGetNumArgOperands(call), kept = 0;
  VEC(Arg) args = {0};
  for (unsigned i = 0; i < n; i++) {
    LLVMValueRef value = LLVMGetOperand(call, i);
    if (LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMMetadataTypeKind) continue;
    vec_push(&args, (Arg){value_of(t, value), passing_at(t, call, i)});
    kept++;
  }
  edge->first_arg = t->p->args.len;
  edge->arg_count = kept;
  if (kept) memcpy(vec_extend(&t->p->args, kept), args.data, kept * sizeof(Arg));
  vec_free(&args);
}

static ExprId half(Translator *t, LLVMValueRef operand) {
  return builder_as(t->b, value_of(t, operand), SORT_INT);
}

/* The arguments of a function that a rule describes: one for each parameter of C, then the
 * address of the result, if one is passed. */
static void add_parameters(Translator *t, LLVMValueRef call, const Rule *rule,
                           const uint8_t *param, unsigned count, Edge *edge) {
  unsigned n = LLVMGetNumArgOperands(call);
  bool calls = rule_calls_back(t, rule);
  VEC(Arg) args = {0};
  for (unsigned i = 0; i < n; i++) {
    LLVMValueRef value = LLVMGetOperand(call, i);
    if (param[i] == PARAM_RESULT) continue;
    if (i + 1 < n && param[i + 1] == param[i]) {
      ExprId low = half(t, value), high = half(t, LLVMGetOperand(call, ++i));
      uint32_t at = builder_bits(t->b, low) > 64 ? 128 : 64;
      ExprId whole = builder_undef(t->b, SORT_INT, 2 * at);
      whole = builder_insert(t->b, builder_insert(t->b, whole, low, 0), high, at);
      vec_push(&args, (Arg){.value = whole});
    } else {
      FuncId relay = calls ? relay_of(t, value) : 0;
      ExprId given = relay ? builder_func(t->b, relay) : value_of(t, value);
      vec_push(&args, (Arg){given, passing_at(t, call, i)});
    }
  }
  assert(args.len == count);
  for (unsigned i = 0; i < n; i++)
    if (param[i] == PARAM_RESULT)
      vec_push(&args, (Arg){value_of(t, LLVMGetOperand(call, i)), (Passing){0}});
  edge->first_arg = t->p->args.len;
  edge->arg_count = (uint16_t)args.len;
  if (args.len)
    memcpy(vec_extend(&t->p->args, args.len), args.data, args.len * sizeof(Arg));
  vec_free(&args);
}

/* What such a result holds nobody says. */
static void fill_results(Translator *t, LLVMValueRef call, const uint8_t *param) {
  enum { WORDS_LIMIT = 512 };
  for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++) {
    unsigned kind = LLVMGetEnumAttributeKindForName("sret", 4);
    LLVMAttributeRef sret = LLVMGetCallSiteEnumAttribute(call, i + 1, kind);
    if (param[i] != PARAM_RESULT || !sret) continue;
    uint64_t words = type_bytes(t, LLVMGetTypeAttributeValue(sret)) / 8;
    ExprId to = value_of(t, LLVMGetOperand(call, i));
    for (uint64_t k = 0; k < words && k < WORDS_LIMIT; k++)
      emit(t, (Edge){.op = OP_STORE,
                     .a = builder_binary(t->b, EXPR_PTRADD, to,
                                         builder_const(t->b, SORT_INT, 64, k * 8)),
                     .b = builder_undef(t->b, SORT_INT, 64),
                     .size = 8});
  }
}

/* The C type that the program gives to newly allocated memory: that of the variable which
 * receives it. */
static TypeId received_type(Translator *t, LLVMValueRef call) {
  for (LLVMUseRef u = LLVMGetFirstUse(call); u; u = LLVMGetNextUse(u)) {
    LLVMValueRef user = LLVMGetUser(u);
    if (!LLVMIsAStoreInst(user) || LLVMGetOperand(user, 0) != call) continue;
    TypeId pointer = type_strip(t, pointee_type(t, LLVMGetOperand(user, 1)));
    const Type *type = pointer ? type_at(t, pointer) : NULL;
    if (type && type->kind == TYPE_POINTER) return type->elem;
  }
  return 0;
}

static ObjectId heap_object(Translator *t, LLVMValueRef call, const char *allocator,
                            const Rule *rule) {
  const Effect *effects = rules_effects(t->rules, rule);
  bool allocates = false;
  for (uint32_t i = 0; i < rule->effect_count; i++)
    allocates = allocates || effects[i].kind == EFFECT_ALLOC;
  if (!allocates) return 0;
  const Loc *loc = vec_at(&t->p->locs, t->body.loc);
  Str name = {0};
  str_addf(&name, "%s:%u", allocator, loc->line);
  Object object = {.kind = OBJECT_HEAP,
                   .flags = OBJECT_DYNAMIC,
                   .name = builder_sym(t->b, str_text(&name)),
                   .type = received_type(t, call),
                   .loc = t->body.loc,
                   .align = 16};
  vec_push(&t->p->objects, object);
  str_free(&name);
  return t->p->objects.len - 1;
}

static void warn_unknown(Translator *t, FuncId id) {
  const Function *f = vec_at(&t->p->functions, id);
  if ((f->flags & FUNCTION_UNKNOWN) && !(f->flags & FUNCTION_PURE))
    builder_assume(t->b, t->body.loc,
                   "external function %s, of which nothing is known, uses only what its "
                   "arguments reach",
                   sym_text(t->p, f->name));
}

/* Stands for a function whose rule cannot be understood here. */
static FuncId unknown_function(Translator *t, LLVMValueRef callee) {
  Str key = {0};
  str_addf(&key, "\002%s", plain_name(callee));
  uint64_t *slot = strmap_at(&t->library, str_text(&key), key.len);
  str_free(&key);
  if (!*slot) {
    *slot = t->p->functions.len;
    Function f = {.name = builder_sym(t->b, plain_name(callee)),
                  .flags = FUNCTION_UNKNOWN | FUNCTION_VARARGS};
    vec_push(&t->p->functions, f);
  }
  return (FuncId)*slot;
}

static void unclear_call(Translator *t, LLVMValueRef call, LLVMValueRef callee) {
  FuncId id = unknown_function(t, callee);
  Edge edge = {.op = OP_CALL, .a = builder_func(t->b, id), .flags = EDGE_MISMATCH};
  warn_unknown(t, id);
  add_arguments(t, call, &edge);
  if (LLVMGetTypeKind(LLVMTypeOf(call)) != LLVMVoidTypeKind && is_used(call))
    edge.dst = result_local(t, call);
  emit(t, edge);
}

static void plain_call(Translator *t, LLVMValueRef call, LLVMValueRef callee,
                       const Rule *rule) {
  Edge edge = {.op = OP_CALL};
  uint8_t param[UINT8_MAX];
  unsigned count;
  bool by_rule =
      rule && LLVMIsDeclaration(callee) && LLVMGetNumArgOperands(call) < UINT8_MAX;
  if (by_rule && !params_of_call(call, param, &count)) {
    unclear_call(t, call, callee);
    return;
  }
  LLVMTypeRef type = LLVMGetCalledFunctionType(call);
  if (callee) {
    FuncId id = format_callee(t, call, function_of(t, callee));
    edge.a = builder_func(t->b, id);
    if (LLVMGlobalGetValueType(callee) != type) edge.flags |= EDGE_MISMATCH;
    warn_unknown(t, id);
  } else {
    edge.a = value_of(t, LLVMGetCalledValue(call));
  }
  if (by_rule)
    add_parameters(t, call, rule, param, count, &edge);
  else
    add_arguments(t, call, &edge);
  if (rule) edge.aux = heap_object(t, call, plain_name(callee), rule);
  if (LLVMGetTypeKind(LLVMTypeOf(call)) != LLVMVoidTypeKind &&
      (is_used(call) || edge.aux))
    edge.dst = result_local(t, call);
  emit(t, edge);
  if (by_rule) fill_results(t, call, param);
}

/* How code that is no function of C may behave. */
typedef struct {
  bool pure;  /* touches no memory at all */
  bool quiet; /* calls nothing */
} Conduct;

static FuncId pseudo_function(Translator *t, const char *what, Conduct conduct) {
  Str key = {0};
  str_addf(&key, "%c%s", conduct.pure ? 3 : conduct.quiet ? 1 : 4, what);
  uint64_t *slot = strmap_at(&t->library, str_text(&key), key.len);
  str_free(&key);
  if (!*slot) {
    *slot = t->p->functions.len;
    Function f = {.name = builder_sym(t->b, what),
                  .flags = FUNCTION_UNKNOWN | FUNCTION_VARARGS |
                           (conduct.quiet ? FUNCTION_QUIET : 0) |
                           (conduct.pure ? FUNCTION_PURE : 0)};
    vec_push(&t->p->functions, f);
  }
  return (FuncId)*slot;
}

static void unmodelled(Translator *t, LLVMValueRef i, const char *what, Conduct conduct) {
  FuncId id = pseudo_function(t, what, conduct);
  Edge edge = {.op = OP_CALL, .a = builder_func(t->b, id), .flags = EDGE_MISMATCH};
  builder_assume(t->b, t->body.loc, "%s only produces its result%s", what,
                 conduct.pure ? "" : " and writes only to its operands");
  if (LLVMIsACallInst(i) || LLVMIsAInvokeInst(i)) add_arguments(t, i, &edge);
  if (LLVMGetTypeKind(LLVMTypeOf(i)) != LLVMVoidTypeKind) edge.dst = result_local(t, i);
  emit(t, edge);
}

void call_unmodelled(Translator *t, LLVMValueRef i, const char *what) {
  unmodelled(t, i, what, (Conduct){.quiet = true});
}

/* ---- inline assembly ---- */

/* Some instruction leads elsewhere and may come back: what it leads to is a function like any other. The labels
 * of a jump inside of the function are known, and are its successors. */
static bool asm_calls(LLVMValueRef call, const char *text, size_t length) {
  static const char *const calls[] = {"call", "lcall", "jmp", "ljmp", "ret", "bl", "br"};
  bool labels = LLVMGetInstructionOpcode(call) == LLVMCallBr;
  for (size_t i = 0; i < length; i++)
    for (size_t k = 0; k < sizeof calls / sizeof *calls; k++) {
      size_t n = strlen(calls[k]);
      bool begins = i == 0 || isspace((unsigned char)text[i - 1]) || text[i - 1] == ';';
      if (begins && i + n <= length && memcmp(text + i, calls[k], n) == 0 &&
          !(labels && str_eq(calls[k], "jmp")))
        return true;
    }
  return false;
}

/* True if the template consists of the given word and white space only. */
static bool asm_is(const char *text, size_t length, const char *word) {
  Str plain = {0};
  for (size_t i = 0; i < length; i++)
    if (!isspace((unsigned char)text[i]) && text[i] != ';')
      str_add_char(&plain, (char)tolower((unsigned char)text[i]));
  bool same = str_eq(str_text(&plain), word);
  str_free(&plain);
  return same;
}

enum { MAX_ASM_OUTPUTS = 32, IN_MEMORY = -2 };

/* The output whose register an input shares ("0", "1", …); -1 for a constraint of another
 * kind. Constraints are read from `text` up to the comma. */
static int shared_output(const char *text, size_t length) {
  int number = 0;
  for (size_t i = 0; i < length; i++) {
    if (!isdigit((unsigned char)text[i]) || i > 3) return -1;
    number = number * 10 + text[i] - '0';
  }
  return length ? number : -1;
}

/* Assembly without any instruction that hides where values come from: asm("" : "+r"(x)).
 * Each result is the input that shares its register; with several, they form a structure. */
static bool asm_hides(Translator *t, LLVMValueRef call, LLVMValueRef code) {
  size_t length;
  const char *text = LLVMGetInlineAsmConstraintString(code, &length);
  const char *end = text + length;
  int operand = 0, outputs = 0;
  int inputs[MAX_ASM_OUTPUTS]; /* operand that shares the register of each output */
  while (text < end) {
    const char *comma = memchr(text, ',', (size_t)(end - text));
    size_t n = (size_t)((comma ? comma : end) - text);
    bool indirect = n > 1 && text[0] == '=' && text[1] == '*';
    int shared = n ? shared_output(text, n) : -1;
    if (n && text[0] == '=' && outputs == MAX_ASM_OUTPUTS) return false;
    if (n && text[0] == '=')
      inputs[outputs++] = indirect ? IN_MEMORY : -1;
    else if (shared >= 0 && shared < outputs)
      inputs[shared] = operand;
    if (indirect || (n && text[0] != '=' && text[0] != '~')) operand++;
    text = comma ? comma + 1 : end;
  }
  LLVMTypeRef type = LLVMTypeOf(call);
  bool several = LLVMGetTypeKind(type) == LLVMStructTypeKind;
  ExprId whole = builder_const(t->b, SORT_INT, shape_of(t, type).bits, 0);
  unsigned part = 0;
  for (int i = 0; i < outputs; i++) {
    if (inputs[i] == IN_MEMORY) continue;
    if (inputs[i] < 0 || inputs[i] >= (int)LLVMGetNumArgOperands(call)) return false;
    LLVMValueRef input = LLVMGetOperand(call, (unsigned)inputs[i]);
    LLVMTypeRef wanted = several ? LLVMStructGetTypeAtIndex(type, part) : type;
    if (LLVMTypeOf(input) != wanted) return false;
    uint64_t low = several ? LLVMOffsetOfElement(t->layout, type, part) * 8 : 0;
    whole = several ? builder_insert(t->b, whole, value_of(t, input), (uint32_t)low)
                    : value_of(t, input);
    part++;
  }
  set_value(t, call, pinned(t, whole));
  return part > 0;
}

/* Too narrow for an address. */
static bool is_narrow(LLVMTypeRef type) {
  switch (LLVMGetTypeKind(type)) {
  case LLVMVoidTypeKind: return true;
  case LLVMIntegerTypeKind: return LLVMGetIntTypeWidth(type) < 64;
  case LLVMStructTypeKind:
    for (unsigned i = 0; i < LLVMCountStructElementTypes(type); i++)
      if (!is_narrow(LLVMStructGetTypeAtIndex(type, i))) return false;
    return true;
  default: return false;
  }
}

/* Assembly that works on numbers alone (cpuid, rdtsc): it names no memory, and neither gets
 * nor gives an address. */
static bool asm_is_pure(LLVMValueRef call, LLVMValueRef code) {
  size_t length;
  const char *text = LLVMGetInlineAsmConstraintString(code, &length);
  if (memmem(text, length, "memory", 6) || memchr(text, '*', length)) return false;
  for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++)
    if (!is_narrow(LLVMTypeOf(LLVMGetOperand(call, i)))) return false;
  return is_narrow(LLVMTypeOf(call)) &&
         LLVMGetTypeKind(LLVMTypeOf(call)) != LLVMVoidTypeKind;
}

static void asm_translate(Translator *t, LLVMValueRef call, LLVMValueRef code) {
  size_t length;
  const char *text = LLVMGetInlineAsmAsmString(code, &length);
  bool no_result = LLVMGetTypeKind(LLVMTypeOf(call)) == LLVMVoidTypeKind;
  static const char *const idle[] = {"", "nop", "pause", "repnop", "rep\nnop"};
  for (size_t i = 0; no_result && i < sizeof idle / sizeof *idle; i++)
    if (asm_is(text, length, idle[i]))
      return; /* only keeps the compiler, or the core, from hurrying */
  static const char *const fences[] = {"mfence", "lock$$addl$$0,0(%rsp)",
                                       "lockaddl$$0,0(%rsp)", "lockorl$$0,(%rsp)",
                                       "lockaddl$$0,(%rsp)"};
  for (size_t i = 0; no_result && i < sizeof fences / sizeof *fences; i++)
    if (asm_is(text, length, fences[i])) {
      emit(t, (Edge){.op = OP_FENCE, .order = ORDER_SEQ_CST});
      return;
    }
  if (asm_is(text, length, "") && asm_hides(t, call, code)) return;
  Str what = {0};
  str_add(&what, "inline assembly \"");
  for (size_t i = 0; i < length && i < 40; i++)
    str_add_char(&what, (unsigned char)text[i] < 32 ? ' ' : text[i]);
  str_add(&what, length > 40 ? "...\"" : "\"");
  bool quiet = !asm_calls(call, text, length);
  unmodelled(t, call, str_text(&what),
             (Conduct){.pure = quiet && asm_is_pure(call, code), .quiet = quiet});
  str_free(&what);
}

/* ---- the way in ---- */

/* A user's operation may come with a body that still runs or with effects beside it; what the
 * built-in operations do beside (reading a deadline, setting errno) is part of them. */
static bool needs_own_call(Translator *t, const Rule *rule) {
  /* err() prints, then ends; what exit() does besides is seldom seen */
  bool beside = (rule->flags & RULE_USER) || (rule->op == OP_EXIT && is_noticed(t, rule));
  return rule->op == OP_CALL || (rule->flags & RULE_BODY) ||
         (beside && rule->effect_count);
}

static void operation_call(Translator *t, LLVMValueRef call, const Rule *rule,
                           bool wants_result) {
  RuleCall rc = {.rule = rule};
  uint8_t param[UINT8_MAX];
  unsigned n = LLVMGetNumArgOperands(call), count;
  LLVMValueRef callee = function_behind(LLVMGetCalledValue(call));
  if (n >= UINT8_MAX || !params_of_call(call, param, &count)) {
    unclear_call(t, call, callee);
    return;
  }
  for (unsigned i = 0; i < n; i++) {
    LLVMValueRef value = LLVMGetOperand(call, i);
    if (param[i] != rc.arg_count || rc.arg_count == MAX_RULE_ARGS)
      continue; /* the second half of a structure, or where the result goes */
    if (rule->operands[0] == rc.arg_count &&
        LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMPointerTypeKind)
      rc.path = path_of(t, value, NULL);
    rc.args[rc.arg_count] = rule_argument(t, value, rule, rc.arg_count);
    rc.arg_count++;
  }
  if (rule->op == OP_ASSERT && (rule->flags & RULE_ABORT))
    rc.path = assertion_text(t, call, callee);
  if (wants_result) {
    rc.result = shape_of(t, LLVMTypeOf(call));
    rc.dst = result_local(t, call);
  }
  rule_operation(t, &rc);
}

static void rule_call(Translator *t, LLVMValueRef call, LLVMValueRef callee,
                      const Rule *rule) {
  bool has_result =
      LLVMGetTypeKind(LLVMTypeOf(call)) != LLVMVoidTypeKind && is_used(call);
  Shape shape = has_result ? shape_of(t, LLVMTypeOf(call)) : (Shape){0};
  if (rule->assumption) builder_assume(t->b, t->body.loc, "%s", rule->assumption);
  if (rule->flags & RULE_NOP) {
    if (has_result) set_value(t, call, builder_const(t->b, shape.sort, shape.bits, 0));
    return;
  }
  if (rule->flags & RULE_HAVOC) {
    if (has_result) emit(t, (Edge){.op = OP_HAVOC, .dst = result_local(t, call)});
    return;
  }
  if (returns_own_object(t, call, rule)) return;
  if (rule->op == OP_CALL) {
    if ((rule->flags & RULE_CANCEL_POINT) &&
        LLVMGetNamedFunction(t->module, "pthread_cancel"))
      emit(t, (Edge){.op = OP_CANCEL_POINT});
    plain_call(t, call, callee, rule);
    return;
  }
  /* with both, the result is the call's own unless the table knows the operation's */
  bool both = needs_own_call(t, rule);
  bool from_call = both && ((rule->flags & RULE_BODY) || rule->result.no_result);
  if (both && rule_op_comes_last(rule->op)) plain_call(t, call, callee, rule);
  operation_call(t, call, rule, has_result && !from_call);
  if (both && !rule_op_comes_last(rule->op)) plain_call(t, call, callee, rule);
}

void call_translate(Translator *t, LLVMValueRef call) {
  LLVMValueRef called = LLVMGetCalledValue(call);
  if (LLVMIsAInlineAsm(called)) {
    asm_translate(t, call, called);
    return;
  }
  LLVMValueRef callee = function_behind(called);
  if (!callee) {
    plain_call(t, call, NULL, NULL);
    return;
  }
  const char *name = plain_name(callee);
  if (str_starts(name, "llvm.")) {
    if (!intrinsic_translate(t, call, name)) plain_call(t, call, callee, NULL);
    return;
  }
  if (LLVMIsDeclaration(callee) && atomic_library_call(t, call, name)) return;
  const Rule *rule = rule_of(t, callee);
  bool own = rule && (rule->flags & RULE_USER);
  if (LLVMIsDeclaration(callee) && !own && memory_library_call(t, call, name)) return;
  if (rule && !(rule->flags & RULE_ATOMIC_BODY && !LLVMIsDeclaration(callee)))
    rule_call(t, call, callee, rule);
  else
    plain_call(t, call, callee, NULL);
}

void thunk_translate(Translator *t, LLVMValueRef function, const Rule *rule) {
  FuncId id = function_of(t, function);
  t->body = (Body){.llvm = function, .id = id};
  builder_begin_body(t->b, id);
  Shape result = shape_of(t, LLVMGetReturnType(LLVMGlobalGetValueType(function)));
  RuleCall rc = {.rule = rule, .result = result};
  unsigned n = LLVMCountParams(function);
  for (unsigned i = 0; i < n; i++) {
    Shape shape = shape_of(t, LLVMTypeOf(LLVMGetParam(function, i)));
    LocalId local = builder_new_local(t->b, 0, shape.sort, shape.bits, LOCAL_PARAM, 0, 0);
    if (i < MAX_RULE_ARGS) rc.args[rc.arg_count++] = builder_local(t->b, local);
  }
  NodeId start = builder_new_node(t->b);
  t->body.current = start;
  if (result.bits) rc.dst = temporary(t, result.sort, result.bits);
  rule_operation(t, &rc);
  emit_end(t, (Edge){.op = OP_RETURN, .a = rc.dst ? builder_local(t->b, rc.dst) : 0});
  builder_end_body(t->b, start);
  Function *f = vec_at(&t->p->functions, id);
  f->flags =
      (f->flags & ~(uint32_t)(FUNCTION_RULE | FUNCTION_UNKNOWN)) | FUNCTION_DEFINED;
  t->body = (Body){0};
}
