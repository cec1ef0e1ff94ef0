/* Expressions of the model as terms (solve/term.h).
 *
 * What locals hold and where objects lie is for the caller to say; all else is the same for
 * everybody. Operations on floats are computed where their operands are constants, as the
 * interpreter does it; otherwise they give any value. */
#ifndef HEDDLE_ENGINE_TERMS_H
#define HEDDLE_ENGINE_TERMS_H

#include "base/vec.h"
#include "model/program.h"
#include "solve/term.h"

typedef struct {
  const Program *program;
  Terms *terms;
  /* LOCAL, OBJECT, FUNC, LABEL. */
  Term (*leaf)(void *user, const Expr *leaf);
  /* Any value: a new variable. `what` is for people. */
  Term (*any)(void *user, uint32_t bits, const char *what);
  /* Asked for every operation before it is translated, if not NULL: a term to take instead, or
   * 0. */
  Term (*instead)(void *user, ExprId expr);
  /* Division by zero and over-wide shifts give any value, as C leaves open what they do;
   * otherwise what SMT-LIB says. */
  bool open;
  void *user;
} TermsOf;

Term terms_of_expr(const TermsOf *x, ExprId expr);

/* The new value of a read-modify-write of integers; 0: of floats. */
Term terms_update(Terms *terms, RmwKind kind, Term old, Term operand);

/* Adds what must hold for the condition to hold: the parts of a conjunction. */
typedef VEC(Term) TermVec;
void terms_conjuncts(Terms *terms, Term condition, TermVec *ret);

#endif
