/* The model of a run as a system of the CSP checker.
 *
 * "Both before their accesses at once" is one event that all target threads do together
 * at the end of their chains; the rule forbids it. */
#include "predict/search.h"

#include "csp/system.h"
#include "predict/model.h"
#include "predict/window.h"

struct OrderSearch {
  const Run *run;
  CspSystem *system;
  CspQuestion question;
  uint32_t prefix;   /* steps before the window */
  uint32_t *first;   /* per thread: of them */
  uint32_t together; /* the event of all targets, or UINT32_MAX */
  uint32_t *threads; /* per event: whose it is */
  uint64_t states;
};

static void add_threads(OrderSearch *s, const RunModel *m, const Target *targets,
                        uint32_t count) {
  CspSystem *system = s->system;
  uint32_t together = s->together;
  for (uint32_t t = 0; t < m->run->threads.len; t++) {
    VEC(uint32_t) chain = {0};
    for (uint32_t p = s->first[t]; p < m->length[t]; p++)
      vec_push(&chain, m->event_of[m->run->threads.data[t].steps.data[p]]);
    for (uint32_t i = 0; i < count; i++)
      if (targets[i].thread == t) vec_push(&chain, together);
    if (chain.len)
      csp_system_add_thread(system, m->run->trace->threads.data[t].name, chain.data,
                            chain.len);
    vec_free(&chain);
  }
}

static OrderSearch *make_search(const RunModel *m, uint32_t prefix, const Target *targets,
                                uint32_t count, const CspOptions *options) {
  OrderSearch *s = mem_alloc_zero(sizeof *s);
  *s = (OrderSearch){.run = m->run,
                     .system = csp_system_new(options),
                     .question = count ? CSP_ASK_RULE : CSP_ASK_DEADLOCK,
                     .prefix = prefix,
                     .together = UINT32_MAX};
  s->first = mem_alloc_zero((m->run->threads.len + 1) * sizeof *s->first);
  window_lengths(m->run, prefix, s->first);
  s->threads = mem_alloc_zero((m->events.len + 1) * sizeof *s->threads);
  for (uint32_t i = 0; i < m->events.len; i++) {
    csp_system_add_event(s->system, m->events.data[i].name);
    s->threads[i] = m->events.data[i].thread;
  }
  if (count) s->together = csp_system_add_event(s->system, "together");
  add_threads(s, m, targets, count);
  for (uint32_t i = 0; i < m->machines.len; i++)
    csp_system_add_object(s->system, m->machines.data[i].object ? "object" : "order",
                          m->machines.data[i].arcs.data, m->machines.data[i].arcs.len);
  if (count) csp_system_set_rule(s->system, NULL, 0, &s->together, 1);
  return s;
}

OrderSearch *order_search_begin(const Run *run, const uint32_t *length, uint32_t prefix,
                                const Target *targets, uint32_t count,
                                const SolveLimits *limits) {
  uint32_t threads = 0;
  RunModel model;
  for (uint32_t t = 0; t < run->threads.len; t++) threads += length[t] > 0;
  /* A state of many threads takes as much longer. */
  uint64_t states = limits->search_states / (1 + threads / 16) + 1;
  CspOptions options = {
      .states = states, .stop = limits->stop, .memory = UINT64_C(2) << 30};
  bool fits = run_model_init(&model, run, length, false) &&
              (!prefix || run_model_advance(&model, prefix));
  OrderSearch *s = fits ? make_search(&model, prefix, targets, count, &options) : NULL;
  if (s) csp_system_set_deadline(s->system, limits->deadline);
  run_model_free(&model);
  return s;
}

SolveAnswer order_search_next(OrderSearch *s, StepOrder *ret) {
  CspRun found;
  CspVerdict verdict = csp_system_next(s->system, s->question, &found);
  s->states += found.states;
  SolveAnswer answer = verdict == CSP_FAILS   ? SOLVE_FOUND
                       : verdict == CSP_HOLDS ? SOLVE_NONE
                                              : SOLVE_UNDECIDED;
  uint32_t *next = mem_dup(s->first, (s->run->threads.len + 1) * sizeof *next);
  for (uint32_t i = 0; verdict == CSP_FAILS && i < s->prefix; i++) vec_push(ret, i);
  for (uint32_t i = 0; i < found.count; i++) {
    if (found.events[i] == s->together) continue;
    uint32_t t = s->threads[found.events[i]];
    vec_push(ret, s->run->threads.data[t].steps.data[next[t]++]);
  }
  mem_free(next);
  csp_run_free(&found);
  return answer;
}

uint64_t order_search_states(const OrderSearch *s) {
  return s->states;
}

void order_search_end(OrderSearch *s) {
  if (!s) return;
  csp_system_free(s->system);
  mem_free(s->threads);
  mem_free(s->first);
  mem_free(s);
}
