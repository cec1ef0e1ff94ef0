/* Clauses of gates: full Tseitin definitions, for gates are shared by questions of both polarities.
 * A chain of ands below an and becomes one wide clause with its two-literal ones only where the
 * inner ands have no variable of their own; here every and keeps its own, which costs variables that
 * the solver eliminates by itself and keeps the definitions independent of the order of questions.
 *
 * Redundant clauses are given where unit propagation gains by them: an ite whose branches agree. */
#include "solve/gates_internal.h"

typedef struct {
  ClauseSink *sink;
  void *user;
  uint64_t count;
} Out;

static void clause(Out *out, int a, int b, int c, int d) {
  out->sink(out->user, a);
  out->sink(out->user, b);
  if (c) out->sink(out->user, c);
  if (d) out->sink(out->user, d);
  out->sink(out->user, 0);
  out->count++;
}

static int number(const Gates *gates, Lit a) {
  int variable = (int)gates->variable.data[a / 2];
  return a & 1 ? -variable : variable;
}

/* Operands have numbers. */
static void define(const Gates *gates, uint32_t gate, Out *out) {
  const Gate *g = &gates->gates.data[gate];
  int o = (int)gates->variable.data[gate];
  int a = number(gates, g->a), b = number(gates, g->b), c = number(gates, g->c);
  switch ((GateKind)g->kind) {
  case GATE_INPUT: return;
  case GATE_AND:
    clause(out, -o, a, 0, 0);
    clause(out, -o, b, 0, 0);
    clause(out, o, -a, -b, 0);
    return;
  case GATE_XOR:
    clause(out, -o, a, b, 0);
    clause(out, -o, -a, -b, 0);
    clause(out, o, -a, b, 0);
    clause(out, o, a, -b, 0);
    return;
  case GATE_MAJORITY:
    clause(out, -o, a, b, 0);
    clause(out, -o, a, c, 0);
    clause(out, -o, b, c, 0);
    clause(out, o, -a, -b, 0);
    clause(out, o, -a, -c, 0);
    clause(out, o, -b, -c, 0);
    return;
  case GATE_ITE:
    clause(out, -o, -a, b, 0);
    clause(out, -o, a, c, 0);
    clause(out, o, -a, -b, 0);
    clause(out, o, a, -c, 0);
    clause(out, -o, b, c, 0);
    clause(out, o, -b, -c, 0);
    return;
  }
}

static uint32_t operands(const Gate *g, Lit *ret) {
  ret[0] = g->a, ret[1] = g->b, ret[2] = g->c;
  switch ((GateKind)g->kind) {
  case GATE_INPUT: return 0;
  case GATE_AND:
  case GATE_XOR: return 2;
  case GATE_MAJORITY:
  case GATE_ITE: return 3;
  }
  return 0;
}

int gates_literal(Gates *gates, Lit a, ClauseSink *sink, void *user, GatePoll *poll,
                  void *poll_user) {
  assert(a / 2 != 0 && "a constant has no literal");
  Out out = {sink, user, 0};
  vec_clear(&gates->stack);
  if (!gates->variable.data[a / 2]) vec_push(&gates->stack, a / 2);
  uint32_t steps = 0;
  while (gates->stack.len) {
    if ((++steps & 0xffff) == 0 && poll && poll(poll_user)) break;
    uint32_t top = *vec_last(&gates->stack);
    if (gates->variable.data[top]) {
      vec_pop(&gates->stack);
      continue;
    }
    Lit below[3];
    uint32_t count = operands(&gates->gates.data[top], below), before = gates->stack.len;
    for (uint32_t i = count; i-- > 0;)
      if (!gates->variable.data[below[i] / 2]) vec_push(&gates->stack, below[i] / 2);
    if (gates->stack.len > before) continue;
    vec_pop(&gates->stack);
    vec_push(&gates->order, top);
    gates->variable.data[top] = gates->order.len;
    define(gates, top, &out);
  }
  gates->clauses += out.count;
  return gates->stack.len ? 0 : number(gates, a);
}

int gates_known_literal(const Gates *gates, Lit a) {
  return number(gates, a);
}

void gates_repeat(const Gates *gates, ClauseSink *sink, void *user) {
  Out out = {sink, user, 0};
  for (uint32_t i = 0; i < gates->order.len; i++)
    define(gates, gates->order.data[i], &out);
}

uint32_t gates_variables(const Gates *gates) {
  return gates->order.len;
}

uint64_t gates_clauses(const Gates *gates) {
  return gates->clauses;
}
