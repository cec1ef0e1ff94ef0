/* The graph of gates. Rules look at most one level down; operands are in order and complements as far
 * outside as the gate allows, so that equal functions of equal inputs mostly are equal gates:
 *   and      operands in order, any complements
 *   xor      no complements
 *   majority at most one complement (three go outside; of two, two are turned with the output)
 *   ite      condition and first branch without complement */
#include "solve/gates_internal.h"

Gates *gates_new(void) {
  Gates *gates = mem_alloc_zero(sizeof *gates);
  (void)vec_extend(&gates->gates, 1);
  (void)vec_extend(&gates->variable, 1);
  gates->mask = 4095;
  gates->slots = mem_alloc_zero(((size_t)gates->mask + 1) * sizeof *gates->slots);
  return gates;
}

void gates_free(Gates *gates) {
  if (!gates) return;
  vec_free(&gates->gates);
  vec_free(&gates->variable);
  vec_free(&gates->order);
  vec_free(&gates->stack);
  vec_free(&gates->leaves);
  vec_free(&gates->inner);
  mem_free(gates->slots);
  mem_free(gates);
}

uint32_t gates_count(const Gates *gates) {
  return gates->gates.len - 1;
}

static uint32_t hash_gate(Gate g) {
  uint64_t h = ((uint64_t)g.a << 32 | g.b) * 0x9e3779b97f4a7c15u;
  h ^= ((uint64_t)g.kind << 32 | g.c) * 0xc2b2ae3d27d4eb4fu;
  h ^= h >> 29;
  h *= 0xbf58476d1ce4e5b9u;
  return (uint32_t)(h >> 32);
}

static void grow(Gates *gates) {
  uint32_t mask = gates->mask * 2 + 1;
  uint32_t *slots = mem_alloc_zero(((size_t)mask + 1) * sizeof *slots);
  for (uint32_t g = 1; g < gates->gates.len; g++) {
    if (gates->gates.data[g].kind == GATE_INPUT) continue;
    uint32_t i = hash_gate(gates->gates.data[g]) & mask;
    while (slots[i]) i = (i + 1) & mask;
    slots[i] = g;
  }
  mem_free(gates->slots);
  gates->slots = slots;
  gates->mask = mask;
}

static Lit add(Gates *gates, Gate g) {
  assert(gates->gates.len < UINT32_MAX / 4);
  vec_push(&gates->gates, g);
  vec_push(&gates->variable, 0);
  return (gates->gates.len - 1) * 2;
}

static void use(Gates *gates, Lit operand) {
  Gate *g = &gates->gates.data[operand / 2];
  g->shared |= g->used;
  g->used = 1;
}

static Lit make(Gates *gates, GateKind kind, Lit a, Lit b, Lit c) {
  Gate g = {.kind = kind, .a = a, .b = b, .c = c};
  uint32_t i = hash_gate(g) & gates->mask;
  for (; gates->slots[i]; i = (i + 1) & gates->mask) {
    const Gate *old = &gates->gates.data[gates->slots[i]];
    if (old->a == a && old->b == b && old->c == c && old->kind == kind)
      return gates->slots[i] * 2;
  }
  Lit lit = add(gates, g);
  gates->slots[i] = lit / 2;
  use(gates, a);
  use(gates, b);
  if (c) use(gates, c);
  if (gates->gates.len > gates->mask / 2) grow(gates);
  return lit;
}

Lit gate_input(Gates *gates) {
  Lit lit = add(gates, (Gate){.kind = GATE_INPUT});
  if (gates->gates.len > gates->mask / 2) grow(gates);
  return lit;
}

static void swap(Lit *a, Lit *b) {
  Lit t = *a;
  *a = *b;
  *b = t;
}

/* a and b where b is an and itself; UINT32_MAX: no rule. */
static Lit and_inside(Gates *gates, Lit a, Lit b) {
  Gate g = gates->gates.data[b / 2];
  if (g.kind != GATE_AND) return UINT32_MAX;
  if (!(b & 1)) {
    if (a == g.a || a == g.b) return b;
    if (a == lit_not(g.a) || a == lit_not(g.b)) return LIT_FALSE;
    return UINT32_MAX;
  }
  if (a == lit_not(g.a) || a == lit_not(g.b)) return a;
  if (a == g.a) return gate_and(gates, a, lit_not(g.b));
  if (a == g.b) return gate_and(gates, a, lit_not(g.a));
  return UINT32_MAX;
}

Lit gate_and(Gates *gates, Lit a, Lit b) {
  if (a > b) swap(&a, &b);
  if (a == LIT_FALSE || a == lit_not(b)) return LIT_FALSE;
  if (a == LIT_TRUE || a == b) return b;
  Lit known = and_inside(gates, a, b);
  if (known == UINT32_MAX) known = and_inside(gates, b, a);
  return known != UINT32_MAX ? known : make(gates, GATE_AND, a, b, 0);
}

Lit gate_xor(Gates *gates, Lit a, Lit b) {
  Lit turn = (a ^ b) & 1;
  a &= ~(Lit)1;
  b &= ~(Lit)1;
  if (a > b) swap(&a, &b);
  if (a == b) return LIT_FALSE ^ turn;
  if (a == LIT_FALSE) return b ^ turn;
  Gate x = gates->gates.data[a / 2], y = gates->gates.data[b / 2];
  if (y.kind == GATE_XOR && (y.a == a || y.b == a)) return (y.a == a ? y.b : y.a) ^ turn;
  if (x.kind == GATE_XOR && (x.a == b || x.b == b)) return (x.a == b ? x.b : x.a) ^ turn;
  return make(gates, GATE_XOR, a, b, 0) ^ turn;
}

Lit gate_majority(Gates *gates, Lit a, Lit b, Lit c) {
  if (a > b) swap(&a, &b);
  if (b > c) swap(&b, &c);
  if (a > b) swap(&a, &b);
  if (a == b) return a;
  if (b == c) return b;
  if (a == lit_not(b)) return c;
  if (b == lit_not(c)) return a;
  if (a == LIT_FALSE) return gate_and(gates, b, c);
  if (a == LIT_TRUE) return gate_or(gates, b, c);
  Lit turn = (a & 1) + (b & 1) + (c & 1) >= 2;
  return make(gates, GATE_MAJORITY, a ^ turn, b ^ turn, c ^ turn) ^ turn;
}

Lit gate_ite(Gates *gates, Lit condition, Lit then, Lit otherwise) {
  if (condition & 1) {
    condition = lit_not(condition);
    swap(&then, &otherwise);
  }
  if (condition == LIT_FALSE) return otherwise;
  if (then == otherwise) return then;
  if (then == lit_not(otherwise)) return gate_xor(gates, condition, otherwise);
  if (then == LIT_TRUE || then == condition) return gate_or(gates, condition, otherwise);
  if (then == LIT_FALSE || then == lit_not(condition))
    return gate_and(gates, lit_not(condition), otherwise);
  if (otherwise == LIT_TRUE || otherwise == lit_not(condition))
    return gate_or(gates, lit_not(condition), then);
  if (otherwise == LIT_FALSE || otherwise == condition)
    return gate_and(gates, condition, then);
  Lit turn = then & 1;
  return make(gates, GATE_ITE, condition, then ^ turn, otherwise ^ turn) ^ turn;
}
