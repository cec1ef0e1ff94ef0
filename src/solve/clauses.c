/* Clauses of gates: full Tseitin definitions, for gates are shared by questions of both polarities.
 * Ands that only one other and uses have no variable: that one absorbs them and has all their operands.
 * If one of them is asked for later, it gets a variable and clauses then.
 *
 * Redundant clauses are given where unit propagation gains by them: an ite whose branches agree. */
#include "solve/gates_internal.h"

#include <assert.h>

typedef struct {
  ClauseSink *sink;
  void *user;
  uint64_t count;
} Out;

static void clause(Out *out, int a, int b, int c, int d) {
  assert(a && b); /* 0 would end it */
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

enum { MOST_LEAVES = 256 };

/* Is this operand of the and `top` an and that has no variable in its clauses? When they are written
 * again, one that got a variable after `top` had none then. */
static bool is_absorbed(const Gates *gates, Lit operand, uint32_t top, bool again) {
  const Gate *g = &gates->gates.data[operand / 2];
  uint32_t variable = gates->variable.data[operand / 2];
  if ((operand & 1) || g->kind != GATE_AND) return false;
  if (!again) return !g->shared && !variable;
  return g->absorbed && (!variable || variable > gates->variable.data[top]);
}

/* The operands of an and and of those it absorbs. */
static void find_leaves(Gates *gates, uint32_t top, bool again) {
  vec_clear(&gates->leaves);
  vec_clear(&gates->inner);
  vec_push(&gates->leaves, gates->gates.data[top].a);
  vec_push(&gates->leaves, gates->gates.data[top].b);
  for (uint32_t i = 0; i < gates->leaves.len;) {
    Lit leaf = gates->leaves.data[i];
    bool room = again || gates->leaves.len < MOST_LEAVES;
    if (!room || !is_absorbed(gates, leaf, top, again)) {
      i++;
      continue;
    }
    vec_push(&gates->inner, leaf / 2);
    gates->leaves.data[i] = gates->gates.data[leaf / 2].a;
    vec_push(&gates->leaves, gates->gates.data[leaf / 2].b);
  }
}

static void define_and(Gates *gates, uint32_t gate, bool again, Out *out) {
  int o = (int)gates->variable.data[gate];
  find_leaves(gates, gate, again);
  for (uint32_t i = 0; i < gates->inner.len; i++)
    gates->gates.data[gates->inner.data[i]].absorbed = 1;
  for (uint32_t i = 0; i < gates->leaves.len; i++)
    clause(out, -o, number(gates, gates->leaves.data[i]), 0, 0);
  out->sink(out->user, o);
  for (uint32_t i = 0; i < gates->leaves.len; i++)
    out->sink(out->user, -number(gates, gates->leaves.data[i]));
  out->sink(out->user, 0);
  out->count++;
}

/* Operands have numbers. `again`: the definition went out before. */
static void define(Gates *gates, uint32_t gate, bool again, Out *out) {
  const Gate *g = &gates->gates.data[gate];
  int o = (int)gates->variable.data[gate];
  int a = number(gates, g->a), b = number(gates, g->b), c = number(gates, g->c);
  switch ((GateKind)g->kind) {
  case GATE_INPUT: return;
  case GATE_AND: define_and(gates, gate, again, out); return;
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

/* What must have a variable before `gate` has. */
static void find_operands(Gates *gates, uint32_t gate) {
  Gate g = gates->gates.data[gate];
  if (g.kind == GATE_AND) {
    find_leaves(gates, gate, false);
    return;
  }
  vec_clear(&gates->leaves);
  if (g.kind == GATE_INPUT) return;
  vec_push(&gates->leaves, g.a);
  vec_push(&gates->leaves, g.b);
  if (g.kind != GATE_XOR) vec_push(&gates->leaves, g.c);
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
    uint32_t before = gates->stack.len;
    find_operands(gates, top);
    for (uint32_t i = gates->leaves.len; i-- > 0;) {
      uint32_t below = gates->leaves.data[i] / 2;
      if (!gates->variable.data[below]) vec_push(&gates->stack, below);
    }
    if (gates->stack.len > before) continue;
    vec_pop(&gates->stack);
    vec_push(&gates->order, top);
    gates->variable.data[top] = gates->order.len;
    define(gates, top, false, &out);
  }
  gates->clauses += out.count;
  return gates->stack.len ? 0 : number(gates, a);
}

int gates_known_literal(const Gates *gates, Lit a) {
  return number(gates, a);
}

void gates_repeat(Gates *gates, ClauseSink *sink, void *user) {
  Out out = {sink, user, 0};
  for (uint32_t i = 0; i < gates->order.len; i++)
    define(gates, gates->order.data[i], true, &out);
}

uint32_t gates_variables(const Gates *gates) {
  return gates->order.len;
}

uint64_t gates_clauses(const Gates *gates) {
  return gates->clauses;
}
