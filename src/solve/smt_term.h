/* From terms to Z3's terms and back: every term once, values of variables out of a model. */
#ifndef HEDDLE_SOLVE_SMT_TERM_H
#define HEDDLE_SOLVE_SMT_TERM_H

#include "solve/term.h"

#include <z3.h>

typedef struct SmtTerms SmtTerms;

SmtTerms *smt_terms_new(const Terms *terms, Z3_context z3);
void smt_terms_free(SmtTerms *translated); /* accepts NULL */

/* A term of one bit is a Bool. */
Z3_ast smt_terms_get(SmtTerms *translated, Term t);
/* Zero if the model or the translation knows nothing of the variable. */
void smt_terms_value(SmtTerms *translated, Term var, Z3_model model, uint64_t *ret_words);

#endif
