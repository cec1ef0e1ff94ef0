/* The functions, processes and types that every script has without defining them. */
#ifndef HEDDLE_CSP_LIBRARY_H
#define HEDDLE_CSP_LIBRARY_H

#include "csp/types.h"
#include "csp/value.h"

/* The entry of this name, or NULL. */
const void *csp_library_find(Csp *csp, const CspName *name);
void csp_library_names(Csp *csp, CspList *out);
CspType *csp_library_type(Csp *csp, const void *entry);
CspValue *csp_library_value(Csp *csp, const void *entry);
CspValue *csp_library_call(Csp *csp, const void *entry, CspValue **args, uint32_t count,
                           CspPlace place);

#endif
