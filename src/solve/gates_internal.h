/* The graph behind gates.h, which gates.c builds and clauses.c writes out. */
#ifndef HEDDLE_SOLVE_GATES_INTERNAL_H
#define HEDDLE_SOLVE_GATES_INTERNAL_H

#include "base/vec.h"
#include "solve/gates.h"

typedef enum { GATE_INPUT, GATE_AND, GATE_XOR, GATE_MAJORITY, GATE_ITE } GateKind;

typedef struct {
  uint32_t kind : 8;
  uint32_t used : 1;   /* by another gate */
  uint32_t shared : 1; /* by several */
  uint32_t
      absorbed : 1; /* its operands stand in the clauses of the one gate that uses it */
  Lit a, b, c;      /* operands, as many as the kind has; an ite's condition is `a` */
} Gate;

struct Gates {
  VEC(Gate) gates;        /* [0] is the constant */
  VEC(uint32_t) variable; /* gate → number in clauses, 0: none yet */
  uint32_t *slots, mask;  /* gate numbers; 0: free */
  VEC(uint32_t) order; /* gates that have variables, in that order; a definition each */
  VEC(uint32_t) stack;
  VEC(Lit) leaves;     /* of an and with those it absorbs */
  VEC(uint32_t) inner; /* those it absorbs */
  uint64_t clauses;
};

#endif
