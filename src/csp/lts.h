/* Explicit labelled transition systems: components, and what compressions work on.
 *
 * State 0 is the initial one. The transitions of a state stand together, sorted by label
 * and target, without repetition. Labels are event ids; LABEL_DONE marks a state in which
 * the process has terminated (it carries a loop with that label and nothing else). */
#ifndef HEDDLE_CSP_LTS_H
#define HEDDLE_CSP_LTS_H

#include "csp/term.h"

enum { LABEL_DONE = UINT32_MAX };

typedef struct CspEdge {
  uint32_t label, target;
} CspEdge;

typedef struct CspLts {
  uint32_t states;
  uint32_t *first; /* states + 1 entries: where the edges of a state begin */
  CspEdge *edges;
} CspLts;

/* Builds a system state by state: open it, add edges of state 0, 1, …, close it. */
typedef struct CspLtsBuilder {
  Csp *csp;
  VEC(uint32_t) first;
  VEC(CspEdge) edges;
} CspLtsBuilder;

void csp_lts_begin_state(CspLtsBuilder *b);
void csp_lts_edge(CspLtsBuilder *b, uint32_t label, uint32_t target);
/* Copies into the arena and releases the builder. */
CspLts *csp_lts_finish(CspLtsBuilder *b);
void csp_lts_drop(CspLtsBuilder *b);

/* Explores the terms from `term` on. NULL when there are more than `limit` states; then
 * *ret_parallel says whether a parallel operator was met on the way. */
CspLts *csp_lts_of_term(Csp *csp, CspTerm *term, uint64_t limit, bool *ret_parallel);
/* Whether a parallel operator stands above the next prefixes of the term. */
bool csp_term_is_parallel(Csp *csp, CspTerm *term);

/* The same process with fewer states; the meaning of each is said at its definition. */
CspLts *csp_lts_sbisim(Csp *csp, const CspLts *lts);
CspLts *csp_lts_tau_loops(Csp *csp, const CspLts *lts);
CspLts *csp_lts_diamond(Csp *csp, const CspLts *lts);
CspLts *csp_lts_normal(Csp *csp, const CspLts *lts);
CspLts *csp_lts_chase(Csp *csp, const CspLts *lts);
CspLts *csp_lts_compress(Csp *csp, const CspLts *lts, CspCompression how);
/* Removes from every state the events that others forbid; see TERM_PRIORITISE. */
CspLts *csp_lts_prioritise(Csp *csp, const CspLts *lts, const CspTerm *term);

#endif
