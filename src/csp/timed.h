/* Timed sections: processes whose time passes with the event tock. See timed.c. */
#ifndef HEDDLE_CSP_TIMED_H
#define HEDDLE_CSP_TIMED_H

#include "csp/term.h"

/* The set {tock}; fails when the script has no channel tock without fields. */
CspEvents *csp_tock(Csp *csp, CspPlace place);
/* The set, with tock where the node is timed. */
CspEvents *csp_timed_set(Csp *csp, const CspNode *node, CspEvents *set);

/* STOP and SKIP, or what they are where the node is timed. */
CspTerm *csp_stop_of(Csp *csp, const CspNode *node);
CspTerm *csp_skip_of(Csp *csp, const CspNode *node);
CspTerm *csp_timed_stop(Csp *csp, CspPlace place);
CspTerm *csp_timed_skip(Csp *csp, CspPlace place);
/* `term` after `count` events of the set, which has one. */
CspTerm *csp_term_delay(Csp *csp, CspEvents *tock, int count, CspTerm *term,
                        CspPlace place);
/* What follows an event of a timed prefix: `after`, as much later as the event takes. */
CspTerm *csp_timed_after(Csp *csp, CspNode *prefix, uint32_t event, CspTerm *after);
/* Internal steps and the end before tock. */
CspTerm *csp_timed_priority(Csp *csp, CspTerm *term, CspPlace place);

#endif
