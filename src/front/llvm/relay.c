/* Relays: the library's own functions where the library is to call them.
 *
 * `qsort(list, n, size, alphasort)`: both functions are described by what they do, but what alphasort
 * does belongs to calls of it, and the call is inside of qsort. So alphasort gets a relay here, a
 * function with a body that calls it, and qsort gets the relay. Functions that return new memory
 * get none, because each call in the source stands for memory of its own. */
#include "front/llvm/internal.h"

#include <string.h>

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
  LLVMTypeRef type = LLVMGlobalGetValueType(function);
  Shape result = shape_of(t, LLVMGetReturnType(type));
  Function f = {.name = builder_sym(t->b, plain_name(function)),
                .flags = FUNCTION_DEFINED | FUNCTION_INTERNAL | FUNCTION_ADDRESS_TAKEN,
                .return_sort = (uint8_t)result.sort,
                .return_bits = result.bits,
                .loc = t->body.loc,
                .param_count = LLVMCountParamTypes(type),
                .first_passing = t->p->passings.len};
  for (uint32_t i = 0; i < f.param_count; i++) vec_push(&t->p->passings, (Passing){0});
  FuncId id = t->p->functions.len;
  vec_push(&t->p->functions, f);
  vec_push(&t->relays, ((Relay){function, id}));
  return id;
}

static void translate(Translator *t, Relay relay) {
  Function f = *vec_at(&t->p->functions, relay.id);
  t->body = (Body){.id = relay.id, .loc = f.loc};
  builder_begin_body(t->b, relay.id);
  VEC(Arg) args = {0};
  for (uint32_t i = 0; i < f.param_count; i++) {
    Shape shape = shape_of(t, LLVMTypeOf(LLVMGetParam(relay.function, i)));
    LocalId local = builder_new_local(t->b, 0, shape.sort, shape.bits, LOCAL_PARAM, 0, 0);
    vec_push(&args, (Arg){.value = builder_local(t->b, local)});
  }
  NodeId start = builder_new_node(t->b);
  t->body.current = start;
  Edge call = {.op = OP_CALL,
               .a = builder_func(t->b, function_of(t, relay.function)),
               .first_arg = t->p->args.len,
               .arg_count = (uint16_t)args.len};
  for (uint32_t i = 0; i < args.len; i++) vec_push(&t->p->args, args.data[i]);
  if (f.return_bits) call.dst = temporary(t, (Sort)f.return_sort, f.return_bits);
  emit(t, call);
  emit_end(t, (Edge){.op = OP_RETURN, .a = call.dst ? builder_local(t->b, call.dst) : 0});
  builder_end_body(t->b, start);
  vec_free(&args);
  t->body = (Body){0};
}

void relays_translate(Translator *t) {
  for (uint32_t i = 0; i < t->relays.len; i++) translate(t, t->relays.data[i]);
}
