/* Timed sections.
 *
 * In: nodes inside Timed(f) { … }, and what they are made of. Out: terms in which time
 * passes with the event tock:
 *   e -> P        waits for e as long as it takes, and P begins f(e) tocks after it;
 *   STOP, SKIP    let time pass; so does a guard that is false;
 *   [] and /\     are not decided by tock, which both operands do together;
 *   parallel      operands do tock together as well.
 * Everything else is as outside. eval_process.c asks here for sets and constants, and
 * term_steps.c for what follows a timed event. */
#include "csp/timed.h"

enum { LONGEST = 1000000 }; /* tocks that one event may take */

CspEvents *csp_tock(Csp *csp, CspPlace place) {
  CspValue *tock = (CspValue *)(uintptr_t)map_find(&csp->globals->tags,
                                                   map_key(csp_name_of(csp, "tock")), 0);
  if (!tock || !tock->tag->is_channel || csp_missing(csp, tock))
    csp_fail(csp, place, "add the declaration `channel tock`",
             "there is no channel tock without fields");
  uint32_t id = csp_event_of(csp, tock, place);
  return csp_events(csp, &id, 1);
}

CspEvents *csp_timed_set(Csp *csp, const CspNode *node, CspEvents *set) {
  return node->timed ? csp_events_union(csp, set, csp_tock(csp, node->place)) : set;
}

CspTerm *csp_timed_stop(Csp *csp, CspPlace place) {
  CspEvents *tock = csp_tock(csp, place);
  return csp_term(csp, TERM_RUN, NULL, 0, &tock, 1, NULL, 0, place);
}

CspTerm *csp_timed_skip(Csp *csp, CspPlace place) {
  CspTerm *kids[] = {csp_timed_stop(csp, place), csp_term_skip(csp)};
  return csp_term(csp, TERM_INTERRUPT, kids, 2, NULL, 0, NULL, 0, place);
}

CspTerm *csp_stop_of(Csp *csp, const CspNode *node) {
  return node->timed ? csp_timed_stop(csp, node->place) : csp_term_stop(csp);
}

CspTerm *csp_skip_of(Csp *csp, const CspNode *node) {
  return node->timed ? csp_timed_skip(csp, node->place) : csp_term_skip(csp);
}

CspTerm *csp_term_delay(Csp *csp, CspEvents *tock, int count, CspTerm *term,
                        CspPlace place) {
  if (count <= 0) return term;
  return csp_term(csp, TERM_DELAY, &term, 1, &tock, 1, NULL, count, place);
}

CspTerm *csp_timed_after(Csp *csp, CspNode *prefix, uint32_t event, CspTerm *after) {
  CspPlace place = prefix->place;
  CspValue *times = csp_global(csp, prefix->timed, 0, place);
  CspValue *value = csp->terms->events.data[event];
  CspValue *count = csp_apply(csp, times, &value, 1, place);
  if (count->kind != VALUE_INT || count->number < 0 || count->number > LONGEST)
    csp_fail(csp, prefix->timed->place, "give a number from 0 on",
             "the time that %s takes is no number of tocks", csp_event_text(csp, event));
  return csp_term_delay(csp, csp_tock(csp, place), (int)count->number, after, place);
}

CspTerm *csp_timed_priority(Csp *csp, CspTerm *term, CspPlace place) {
  CspEvents *sets[] = {csp_events(csp, NULL, 0), csp_tock(csp, place)};
  return csp_term(csp, TERM_PRIORITISE, &term, 1, sets, 2, NULL, 0, place);
}
