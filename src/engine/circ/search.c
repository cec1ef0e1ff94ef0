/* See circ.h: the rounds. */
#include "engine/circ/circ.h"

#include "base/clock.h"
#include "base/mem.h"
#include "engine/circ/context.h"
#include "engine/circ/enumerate.h"
#include "engine/circ/progress.h"
#include "engine/circ/rank.h"

#include <assert.h>

enum {
  MOST_PREDICATES = 40,
  MOST_STEPS = 60000,
  MOST_ROUNDS = 200,
  MOST_NUMBERS = 10, /* that stand nowhere in the program */
};

typedef struct {
  const CircRequest *request;
  Arena *arena;
  CircAnswer *answer;
  CircSolver *solver;
  SolveLimit limit;
  bool counts; /* the error at hand is that a counter breaks */
} Search;

static bool is_over(const Search *s) {
  return (s->request->stop && *s->request->stop) || clock_now() > s->request->deadline;
}

static bool give_up(Search *s, const char *why) {
  s->answer->verdict = CIRC_UNKNOWN;
  s->answer->reason = is_over(s) ? "the time was over" : why;
  return false;
}

static void tell(const Search *s, const char *what, Term term) {
  if (!s->request->tell) return;
  Str text = {0};
  str_addf(&text, "round %u: %s", s->answer->rounds, what);
  if (term) circ_predicate_print(s->answer->predicates, term, &text);
  s->request->tell(s->request->user, str_text(&text));
  str_free(&text);
}

static void tell_size(const Search *s) {
  const CircAnswer *a = s->answer;
  Str text = {0};
  str_addf(&text, "%u predicates, %u local states, %u steps", a->predicates->list.len,
           a->abstraction.tts.locals.len, a->abstraction.tts.steps.len);
  tell(s, str_text(&text), 0);
  str_free(&text);
}

/* ---- contradictions ---- */

typedef struct {
  TermList conditions; /* one for each step, then one for each goal; 0: none */
  uint8_t *core;       /* by the same index */
} Contradiction;

static SolveAnswer ask(Search *s, const Contradiction *c) {
  TermList assumed = {0};
  for (uint32_t i = 0; i < c->conditions.len; i++)
    if (c->core[i] && c->conditions.data[i]) vec_push(&assumed, c->conditions.data[i]);
  SolveAnswer answer =
      solver_check(circ_solver_plain(s->solver), assumed.data, assumed.len, &s->limit);
  vec_free(&assumed);
  return answer;
}

/* Leaves out what the contradiction does not need: early conditions first, or late ones. */
static void shrink(Search *s, Contradiction *c, bool early) {
  uint32_t n = c->conditions.len;
  Solver *solver = circ_solver_plain(s->solver);
  for (uint32_t i = 0; i < n; i++) /* what the last question did not need */
    if (c->core[i] && c->conditions.data[i] &&
        !solver_failed(solver, c->conditions.data[i]))
      c->core[i] = 0;
  for (uint32_t k = 0; k < n && !is_over(s); k++) {
    uint32_t i = early ? k : n - 1 - k;
    if (!c->core[i]) continue;
    c->core[i] = 0;
    if (ask(s, c) != SOLVE_UNSAT) c->core[i] = 1;
  }
}

/* ---- learning ---- */

typedef struct {
  Search *search;
  TermList ranked[RANK_COUNT];
} Candidates;

static void take_candidate(void *user, Term term) {
  Candidates *c = user;
  Rank rank = circ_rank(c->search->answer->predicates, term);
  vec_push(&c->ranked[rank], term);
}

static uint32_t learn(Search *s, const TermList *candidates) {
  CircPredicates *ps = s->answer->predicates;
  uint32_t added = 0;
  for (uint32_t i = 0; i < candidates->len; i++) {
    if (added && circ_is_one_of_many(ps, candidates->data[i])) continue;
    if (circ_predicates_add(ps, candidates->data[i]) != PREDICATE_NEW) continue;
    tell(s, "learns ", vec_last(&ps->list)->term);
    added++;
  }
  return added;
}

static void take_bound(void *user, Term bound) {
  TermList *all = user;
  vec_push(all, bound);
}

/* What bounds its progression is learnt before another number of it. */
static uint32_t learn_late(Search *s, const TermList *late) {
  CircPredicates *ps = s->answer->predicates;
  TermList bounds = {0};
  for (uint32_t i = 0; i < late->len && !bounds.len; i++)
    circ_progress_bounds(ps, late->data[i], take_bound, &bounds);
  uint32_t added = learn(s, &bounds);
  vec_free(&bounds);
  return added ? added : learn(s, late);
}

/* How predicates are read off a contradiction (trace.h). */
typedef void Deriving(const CircTrace *trace, const uint8_t *core, Terms *terms,
                      void (*found)(void *user, Term candidate), void *user);

/* Predicates from the contradiction that are not known yet. */
static uint32_t learn_from(Search *s, const CircTrace *trace, const uint8_t *core,
                           Deriving *derive, bool late) {
  Candidates c = {.search = s};
  derive(trace, core, s->request->model->terms, take_candidate, &c);
  /* that a counter holds is about what threads have read of it */
  static const Rank orders[2][RANK_COUNT] = {
      {RANK_SIMPLE, RANK_SHARED, RANK_OTHER, RANK_MIXED, RANK_LATE},
      {RANK_MIXED, RANK_SIMPLE, RANK_SHARED, RANK_OTHER, RANK_LATE}};
  const Rank *order = orders[s->counts];
  uint32_t added = 0;
  for (int i = 0; i < RANK_COUNT && !added; i++)
    if (order[i] != RANK_LATE)
      added = learn(s, &c.ranked[order[i]]);
    else if (late)
      added = learn_late(s, &c.ranked[order[i]]);
  for (Rank r = 0; r < RANK_COUNT; r++) vec_free(&c.ranked[r]);
  return added;
}

enum { CORES = 3, WAYS = 2 };

/* The run cannot be. False: nothing can be learnt from that. */
static bool refine(Search *s, const CircTrace *trace, Contradiction *c) {
  uint32_t n = c->conditions.len;
  Deriving *const ways[WAYS] = {circ_trace_predicates, circ_trace_consequences};
  uint8_t *cores = mem_alloc((size_t)CORES * n + 1);
  bool known = true, learnt = false;
  for (int core = 0; core < CORES && known; core++) { /* small ones, then all there is */
    memset(c->core, 1, n);
    if (core < 2) known = ask(s, c) == SOLVE_UNSAT;
    if (core < 2 && known) shrink(s, c, core == 0);
    if (n) memcpy(cores + (size_t)core * n, c->core, n);
    learnt = known && learn_from(s, trace, c->core, ways[0], false);
    if (learnt) break;
  }
  for (int late = 0; late < 2 && known && !learnt; late++)
    for (int i = late ? 0 : CORES; i < WAYS * CORES && !learnt; i++)
      learnt =
          learn_from(s, trace, cores + (size_t)(i % CORES) * n, ways[i / CORES], late);
  mem_free(cores);
  if (!known) return give_up(s, "the solver gave up");
  return learnt ||
         give_up(s,
                 "no predicate about one thread at a time forbids a run that cannot be");
}

/* ---- a round ---- */

static void conditions_of(const CircTrace *trace, Contradiction *c) {
  for (uint32_t i = 0; i < trace->steps.len; i++)
    vec_push(&c->conditions, trace->steps.data[i].reached);
  for (int g = 0; g < TRACE_GOALS; g++) vec_push(&c->conditions, trace->goals_reached[g]);
  c->core = mem_alloc(c->conditions.len + 1);
  memset(c->core, 1, c->conditions.len);
}

/* ---- counters ---- */

static bool is_about_counter(const CircPredicates *ps, const CircPredicate *p) {
  for (uint32_t i = 0; i < p->owner_count; i++) {
    CircOwner o = ps->owners.data[p->first_owner + i];
    if (o.kind == CIRC_NOBODY) continue;
    if (ps->model->kinds.data[o.kind].locals.data[o.variable & ~CIRC_LOCAL].which ==
        CIRC_COUNTS)
      return true;
  }
  return false;
}

/* It is a variable like others from now on; nobody asks for shares. */
static void break_counter(Search *s, uint32_t counter) {
  CircModel *m = s->request->model;
  CircPredicates *old = s->answer->predicates;
  m->counters.data[counter].broken = true;
  s->answer->predicates = circ_predicates_new(m);
  for (uint32_t i = 0; i < m->counters.len; i++) m->counters.data[i].awake = false;
  for (uint32_t i = 0; i < old->list.len; i++)
    if (!is_about_counter(old, &old->list.data[i]))
      circ_predicates_add(s->answer->predicates, old->list.data[i].term);
  circ_predicates_free(old);
  Str text = {0};
  str_addf(&text, "%s does not count shares",
           m->shared.data[m->counters.data[counter].shared].name);
  tell(s, str_text(&text), 0);
  str_free(&text);
}

static uint32_t counter_of(const Search *s, CircLabel at, uint32_t event) {
  return s->request->model->kinds.data[at.kind].events.data[event].counter;
}

/* The error is that a counter breaks: true. */
static bool give_up_counter(Search *s, const CircErrorLabel *error) {
  uint32_t counter = counter_of(s, error->at[0], error->event[0]);
  if (counter) break_counter(s, counter - 1);
  return counter;
}

/* If the run cannot be, wherever the two accesses are, then nothing about addresses is to be learnt. */
static SolveAnswer ask_plainly(Search *s, const CircTrace *trace, Contradiction *c) {
  uint32_t meet = trace->steps.len + TRACE_MEET;
  Term both = c->conditions.data[meet];
  c->conditions.data[meet] = 0;
  SolveAnswer answer = ask(s, c);
  if (!both || answer != SOLVE_SAT) return answer;
  c->conditions.data[meet] = both;
  return ask(s, c);
}

/* Something is not looked at: what is contradictory even so is learnt first. The paper does so with what variables
 * begin with. What threads are given is main's business; how they keep each other off rarely depends on it. */
static bool refute_anyhow(Search *s, const TtsRun *run, TraceForgets forgets) {
  CircTrace trace;
  Contradiction c = {0};
  circ_trace_new(s->answer->predicates, &s->answer->abstraction, run, forgets, &trace);
  conditions_of(&trace, &c);
  bool learnt = (trace.given || forgets != FORGETS_GIVEN) &&
                ask_plainly(s, &trace, &c) == SOLVE_UNSAT && refine(s, &trace, &c);
  vec_free(&c.conditions);
  mem_free(c.core);
  circ_trace_free(&trace);
  return learnt;
}

/* A run of the abstraction; true: there are new predicates. */
static bool follow(Search *s, const TtsRun *run) {
  assert(run->error < s->answer->abstraction.tts.errors.len);
  CircAnswer *a = s->answer;
  CircTrace trace;
  Contradiction c = {0};
  bool goes_on = false;
  if (s->request->model->question.fine && refute_anyhow(s, run, FORGETS_SHARED))
    return true;
  if (refute_anyhow(s, run, FORGETS_GIVEN)) return true;
  uint32_t label = a->abstraction.tts.errors.data[run->error].label;
  const CircErrorLabel *error = &a->abstraction.errors.data[label];
  s->counts = counter_of(s, error->at[0], error->event[0]);
  circ_trace_new(a->predicates, &a->abstraction, run, FORGETS_NOTHING, &trace);
  conditions_of(&trace, &c);
  switch (ask_plainly(s, &trace, &c)) {
  case SOLVE_UNKNOWN: goes_on = give_up(s, "the solver gave up"); break;
  case SOLVE_SAT: {
    goes_on = give_up_counter(s, error);
    if (goes_on) break;
    a->verdict = CIRC_FEASIBLE;
    a->plan = circ_plan(&trace, circ_solver_plain(s->solver), error, run, s->arena);
    tell(s, "a run that can be", 0);
    break;
  }
  case SOLVE_UNSAT: goes_on = refine(s, &trace, &c); break;
  }
  vec_free(&c.conditions);
  mem_free(c.core);
  circ_trace_free(&trace);
  return goes_on;
}

/* The paper's own search, step by step, comes to the shortest run first: that is the order in which the paper
 * learns. False: it finds none, and the net decides. */
static bool find_as_printed(Search *s, const NetLimits *limits, bool *ret_goes_on) {
  ContextOptions options = {.limits = *limits};
  ContextAnswer answer;
  context_infer(&s->answer->abstraction.tts, &options, &answer);
  bool found = answer.verdict == NET_UNSAFE;
  if (found) *ret_goes_on = follow(s, &answer.run);
  context_answer_free(&answer);
  return found;
}

/* True: another round may help. */
static bool round_once(Search *s) {
  CircAnswer *a = s->answer;
  bool goes_on = false;
  a->rounds++;
  if (is_over(s)) return give_up(s, "the time was over");
  circ_predicates_wake(a->predicates);
  if (a->predicates->list.len > MOST_PREDICATES || a->rounds > MOST_ROUNDS)
    return give_up(s, "it needs more predicates than are allowed");
  if (circ_progress_all(a->predicates) > MOST_NUMBERS)
    return give_up(s, "it learns about one number after the other");
  CircAbstractQuestion q = {.predicates = a->predicates,
                            .solver = s->solver,
                            .conflict = s->request->conflict,
                            .user = s->request->user,
                            .limit = s->limit,
                            .most_steps = MOST_STEPS};
  const char *why = NULL;
  circ_abstraction_free(&a->abstraction);
  if (!circ_abstract(&q, &a->abstraction, &why)) return give_up(s, why);
  tell_size(s);
  tts_answer_free(&a->answer);
  NetLimits limits = {.deadline = (uint64_t)(s->request->deadline * 1e9)};
  if (s->request->model->question.fine && find_as_printed(s, &limits, &goes_on))
    return goes_on;
  tts_solve(&a->abstraction.tts, &limits, &a->answer);
  switch (a->answer.verdict) {
  case NET_SAFE: a->verdict = CIRC_SAFE; return false;
  case NET_UNKNOWN: return give_up(s, "the abstraction was not decided");
  case NET_UNSAFE: return follow(s, &a->answer.run);
  }
  return false;
}

void circ_run(const CircRequest *request, Arena *arena, CircAnswer *ret) {
  *ret = (CircAnswer){.predicates = circ_predicates_new(request->model)};
  Err err = {0};
  Search s = {.request = request,
              .arena = arena,
              .answer = ret,
              .solver = circ_solver_new(request->model->terms, &err),
              .limit = {.deadline = request->deadline, .stop = request->stop}};
  if (!s.solver) {
    ret->reason = "the solver is missing";
    err_free(&err);
    return;
  }
  for (uint32_t i = 0; i < request->model->counters.len; i++)
    request->model->counters.data[i].awake = false;
  if (request->given) circ_given_add(request->model, ret->predicates, request->given);
  while (round_once(&s)) {
  }
  assert(ret->verdict != CIRC_UNKNOWN || ret->reason);
  circ_solver_free(s.solver);
}

void circ_answer_free(CircAnswer *a) {
  circ_predicates_free(a->predicates);
  circ_abstraction_free(&a->abstraction);
  tts_answer_free(&a->answer);
}
