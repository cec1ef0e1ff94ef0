/* A flaw found by a search, put into words and names. */
#ifndef HEDDLE_CSP_EXPLAIN_H
#define HEDDLE_CSP_EXPLAIN_H

#include "csp/csp.h"
#include "csp/search.h"

/* Fills the trace, the offers and the behaviours of `out` from the run in `search`. */
void csp_explain(Csp *csp, CspSearch *search, CspResult *out);

#endif
