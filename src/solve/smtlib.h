/* Terms as SMT-LIB 2 text, logic QF_BV. */
#ifndef HEDDLE_SOLVE_SMTLIB_H
#define HEDDLE_SOLVE_SMTLIB_H

#include "solve/term.h"

/* Declarations, one assertion per fact and per assumption, `(check-sat)`. Terms of one bit are of
 * sort (_ BitVec 1). */
void smtlib_write(const Terms *terms, const Term *facts, uint32_t fact_count,
                  const Term *assumptions, uint32_t assumption_count, Str *out);

#endif
