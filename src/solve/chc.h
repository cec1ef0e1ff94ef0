/* Constrained Horn clauses over terms, and an oracle for them: Z3's Spacer.
 *
 * A predicate has parameters, which are variables of the pool. A clause says: if the predicates of
 * its body hold for their arguments and its constraint holds, its head holds, for all values
 * of all variables. A head of CHC_NONE is "false": such clauses say what must not be.
 *
 * The oracle is not to be believed: whoever uses its answer checks it. It works over integers, where
 * nothing wraps (CHC_NUMBERS) or what wraps is told exactly (CHC_WRAPS), or over bits; operations
 * that integers do not have give any number. The answer is always in terms of bit-vectors.
 *
 * Papers: Komuravelli, Gurfinkel, Chaki, "SMT-based model checking for recursive programs", CAV 2014. */
#ifndef HEDDLE_SOLVE_CHC_H
#define HEDDLE_SOLVE_CHC_H

#include "base/err.h"
#include "base/vec.h"
#include "solve/solver.h"

#define CHC_NONE UINT32_MAX

/* A predicate, or "false", with arguments. */
typedef struct {
  uint32_t predicate;
  uint32_t first, count; /* Chc.arguments */
} ChcAtom;

typedef struct {
  Term constraint;
  uint32_t first_atom, atom_count; /* Chc.atoms: the body */
  ChcAtom head;
} ChcClause;

typedef struct {
  Terms *terms;
  VEC(ChcAtom) predicates; /* each with its parameters as arguments */
  VEC(ChcAtom) atoms;
  VEC(ChcClause) clauses;
  VEC(Term) arguments;
} Chc;

void chc_free(Chc *chc);

typedef enum { CHC_NUMBERS, CHC_WRAPS, CHC_BITS } ChcSort;
typedef enum {
  CHC_UNKNOWN,  /* no answer */
  CHC_SOLVED,   /* some meaning of the predicates makes all clauses true */
  CHC_REFUTED,  /* none does */
  CHC_NO_PLACE, /* the part is missing */
} ChcAnswer;

/* After CHC_SOLVED `ret_parts` has what each predicate says, as far as it could be put into terms: a
 * list of conjuncts over the predicate's parameters. */
typedef struct {
  VEC(Term) list;
} ChcParts;
ChcAnswer chc_solve(const Chc *chc, ChcSort sort, const SolveLimit *limit,
                    ChcParts *ret_parts /* by predicate */);

#endif
