/* Names to meanings: which variable, declaration or library function each name is. */
#ifndef HEDDLE_CSP_RESOLVE_H
#define HEDDLE_CSP_RESOLVE_H

#include "csp/ast.h"

/* Fills the resolver's fields of the whole script. Fails with the place of the first name
 * that means nothing or is declared twice. */
void csp_resolve(Csp *csp, CspScript *script);

#endif
