/* Functions that the source does not have, each with a body that calls another one.
 *
 * Relays stand for the library's own functions where the library is to call them:
 * `qsort(list, n, size, alphasort)`. Both are described by what they do, but what alphasort does belongs
 * to calls of it, and the call is inside of qsort. So alphasort gets a relay, a function with a body
 * that calls it, and qsort gets the relay. Functions that return new memory get none, because each
 * call in the source stands for memory of its own.
 *
 * Choosers stand for functions whose implementation is chosen at run time (ifunc). */
#include "front/llvm/internal.h"

#include <string.h>

/* ---- bodies that call ---- */

typedef VEC(Arg) ArgVec;

static FuncId new_function(Translator *t, LLVMValueRef original, uint32_t flags) {
  LLVMTypeRef type = LLVMGlobalGetValueType(original);
  Shape result = shape_of(t, LLVMGetReturnType(type));
  Function f = {.name = builder_sym(t->b, plain_name(original)),
                .flags = FUNCTION_DEFINED | FUNCTION_INTERNAL | flags,
                .return_sort = (uint8_t)result.sort,
                .return_bits = result.bits,
                .loc = t->body.loc,
                .param_count = LLVMCountParamTypes(type),
                .first_passing = t->p->passings.len};
  for (uint32_t i = 0; i < f.param_count; i++) vec_push(&t->p->passings, (Passing){0});
  vec_push(&t->p->functions, f);
  return t->p->functions.len - 1;
}

/* The parameters are what is handed on. */
static NodeId begin(Translator *t, FuncId id, LLVMValueRef original, ArgVec *args) {
  const Function *f = vec_at(&t->p->functions, id);
  uint32_t count = f->param_count;
  t->body = (Body){.id = id, .loc = f->loc};
  builder_begin_body(t->b, id);
  VEC(LLVMTypeRef) types = {0};
  if (count)
    LLVMGetParamTypes(LLVMGlobalGetValueType(original), vec_extend(&types, count));
  for (uint32_t i = 0; i < count; i++) {
    Shape shape = shape_of(t, types.data[i]);
    LocalId local = builder_new_local(t->b, 0, shape.sort, shape.bits, LOCAL_PARAM, 0, 0);
    vec_push(args, (Arg){.value = builder_local(t->b, local)});
  }
  vec_free(&types);
  return t->body.current = builder_new_node(t->b);
}

static void finish(Translator *t, ExprId callee, NodeId start, ArgVec *args) {
  Function f = *vec_at(&t->p->functions, t->body.id);
  Edge call = {.op = OP_CALL,
               .a = callee,
               .first_arg = t->p->args.len,
               .arg_count = (uint16_t)args->len};
  for (uint32_t i = 0; i < args->len; i++) vec_push(&t->p->args, args->data[i]);
  if (f.return_bits) call.dst = temporary(t, (Sort)f.return_sort, f.return_bits);
  emit(t, call);
  emit_end(t, (Edge){.op = OP_RETURN, .a = call.dst ? builder_local(t->b, call.dst) : 0});
  builder_end_body(t->b, start);
  vec_free(args);
  t->body = (Body){0};
}

/* ---- relays ---- */

static bool has_effect(Translator *t, const Rule *rule, uint8_t kind) {
  const Effect *effects = rules_effects(t->rules, rule);
  for (uint32_t i = 0; i < rule->effect_count; i++)
    if (effects[i].kind == kind) return true;
  return false;
}

static bool may_relay(Translator *t, LLVMValueRef function) {
  const Rule *rule = rules_find(t->rules, plain_name(function));
  LLVMTypeRef type = LLVMGlobalGetValueType(function);
  return rule && LLVMIsDeclaration(function) && rule->op == OP_CALL &&
         !LLVMIsFunctionVarArg(type) && !params_are_doubtful(function) &&
         !has_effect(t, rule, EFFECT_ALLOC);
}

bool rule_calls_back(Translator *t, const Rule *rule) {
  return rule &&
         (has_effect(t, rule, EFFECT_CALL) || has_effect(t, rule, EFFECT_CALL_LATER));
}

FuncId relay_of(Translator *t, LLVMValueRef value) {
  LLVMValueRef function = function_behind(value);
  if (!function || !may_relay(t, function)) return 0;
  for (uint32_t i = 0; i < t->relays.len; i++)
    if (t->relays.data[i].function == function) return t->relays.data[i].id;
  const Rule *rule = rules_find(t->rules, plain_name(function));
  if (rule->assumption) builder_assume(t->b, t->body.loc, "%s", rule->assumption);
  FuncId id = new_function(t, function, FUNCTION_ADDRESS_TAKEN);
  vec_push(&t->relays, ((Relay){function, id}));
  return id;
}

static void translate(Translator *t, Relay relay) {
  ArgVec args = {0};
  NodeId start = begin(t, relay.id, relay.function, &args);
  finish(t, builder_func(t->b, function_of(t, relay.function)), start, &args);
}

void relays_translate(Translator *t) {
  for (uint32_t i = 0; i < t->relays.len; i++) translate(t, t->relays.data[i]);
}

/* ---- functions whose implementation is chosen at run time (ifunc) ---- */

FuncId chooser_of(Translator *t, LLVMValueRef ifunc) {
  LLVMTypeRef type = LLVMGlobalGetValueType(ifunc);
  if (LLVMGetTypeKind(type) != LLVMFunctionTypeKind || LLVMIsFunctionVarArg(type) ||
      !function_behind(LLVMGetGlobalIFuncResolver(ifunc)))
    return 0;
  uint64_t *known = map_at(&t->functions, map_key(ifunc));
  if (!*known) *known = new_function(t, ifunc, 0);
  return (FuncId)*known;
}

/* Asks the resolver, and calls what it returns. The program's start does the former once; that
 * it happens at each call makes no difference to which implementation may run. */
void chooser_translate(Translator *t, LLVMValueRef ifunc) {
  ArgVec args = {0};
  NodeId start = begin(t, chooser_of(t, ifunc), ifunc, &args);
  LLVMValueRef resolver = function_behind(LLVMGetGlobalIFuncResolver(ifunc));
  LocalId chosen = temporary(t, SORT_PTR, 64);
  emit(t, (Edge){.op = OP_CALL,
                 .a = builder_func(t->b, function_of(t, resolver)),
                 .dst = chosen});
  finish(t, builder_local(t->b, chosen), start, &args);
}
