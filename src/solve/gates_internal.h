/* The graph behind gates.h, which gates.c builds and clauses.c writes out. */
#ifndef HEDDLE_SOLVE_GATES_INTERNAL_H
#define HEDDLE_SOLVE_GATES_INTERNAL_H

#include "base/vec.h"
#include "solve/gates.h"

typedef enum { GATE_INPUT, GATE_AND, GATE_XOR, GATE_MAJORITY, GATE_ITE } GateKind;

typedef struct {
  uint32_t kind;
  Lit a, b, c; /* operands, as many as the kind has; an ite's condition is `a` */
} Gate;

struct Gates {
  VEC(Gate) gates;        /* [0] is the constant */
  VEC(uint32_t) variable; /* gate → number in clauses, 0: none yet */
  uint32_t *slots, mask;  /* gate numbers; 0: free */
  VEC(uint32_t) order; /* gates that have variables, in that order; a definition each */
  VEC(uint32_t) stack;
  uint64_t clauses;
};

#endif
