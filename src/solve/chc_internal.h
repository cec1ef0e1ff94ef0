/* What the files of the oracle share; nobody else includes it. See chc.h. */
#ifndef HEDDLE_SOLVE_CHC_INTERNAL_H
#define HEDDLE_SOLVE_CHC_INTERNAL_H

#include "solve/chc.h"

#include <z3.h>

/* ---- chc_number.c: terms as integers ---- */

/* Variables of more than one bit are integers, signed if the clauses compare them so. A truth value is a
 * Bool. Operations that integers do not have are variables of their own. */
typedef struct {
  const Chc *chc;
  const Terms *terms;
  Z3_context z3;
  Z3_sort integer;
  bool wraps;
  Map is_signed;   /* variable → 1 */
  Map made, truth; /* term << 1 | signed → ast; term → ast */
  Map seen;
} Numbers;

Numbers *numbers_new(const Chc *chc, Z3_context z3, bool wraps);
void numbers_free(Numbers *numbers); /* accepts NULL */
Z3_ast numbers_truth(Numbers *numbers, Term t);
/* An argument, as the parameter is counted. */
Z3_ast numbers_argument(Numbers *numbers, Term parameter, Term argument);
/* The values that a variable can have; NULL: it is a Bool, or any number. */
Z3_ast numbers_range(Numbers *numbers, Term variable);

/* ---- chc_sign.c: which are signed ---- */
void numbers_find_signs(Numbers *numbers);
bool numbers_is_signed(const Numbers *numbers, Term variable);
/* In which sign the term's variables are counted: *ret_signed. False: it has none, and either will do. */
bool numbers_natural(const Numbers *numbers, Term t, bool *ret_signed);

/* ---- chc_back.c: what the oracle says as terms ---- */

/* The conjuncts of a formula whose bound variable I is the parameter I of the predicate; those that cannot
 * be put into terms are left out. `numbers` is NULL where terms are bits. */
void chc_read_parts(const Chc *chc, const ChcAtom *predicate, Z3_context z3,
                    const Numbers *numbers, Z3_ast formula, ChcParts *ret);

#endif
