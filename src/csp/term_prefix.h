/* The branches of a prefix; see term_prefix.c. */
#ifndef HEDDLE_CSP_TERM_PREFIX_H
#define HEDDLE_CSP_TERM_PREFIX_H

#include "csp/term.h"

typedef struct CspBranch {
  uint32_t event;
  CspEnv *env; /* the inputs are bound; the continuation is evaluated in it */
  CspIds key;  /* the values of the $ fields */
} CspBranch;

void csp_prefix_branches(Csp *csp, CspNode *node, CspEnv *env, CspList *out);
bool csp_branch_same_menu(const CspBranch *a, const CspBranch *b);

#endif
