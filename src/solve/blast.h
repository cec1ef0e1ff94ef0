/* From terms to gates: every term becomes as many literals as it has bits, once. */
#ifndef HEDDLE_SOLVE_BLAST_H
#define HEDDLE_SOLVE_BLAST_H

#include "solve/gates.h"
#include "solve/term.h"

typedef struct Blast Blast;

/* Neither the terms nor the gates are owned. */
Blast *blast_new(const Terms *terms, Gates *gates);
void blast_free(Blast *blast); /* accepts NULL */

/* Translates t and all below it. False: `poll` (may be NULL) said that it is enough; what was
 * done so far stays. */
bool blast_term(Blast *blast, Term t, GatePoll *poll, void *poll_user);
/* The literals of a term that was translated; NULL otherwise. They stay until the next
 * blast_term. */
const Lit *blast_lits(const Blast *blast, Term t);

#endif
