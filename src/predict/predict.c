/* See predict.h.
 *
 * Circles of locks first, since they are few; then deadlocks of any kind by the CSP
 * checker; then races. A situation is asked for orders until one shows the error, none is
 * left, or enough were tried; of races each gets one try before any gets a second. An error
 * that an earlier replay showed at the same places is not sought again.
 *
 * Costs. Candidates and circles of the same places are many in a long run, and most of
 * their situations are the same or alike. So each situation is asked once; of candidates
 * each gets its most promising situation asked before any gets a second one, by the cheap
 * ways before the dear ones, and by a short search before a long one; of the circles with
 * the same places only some are asked. All questions together have a budget of work that
 * grows with the run and with the limit of states. What was not asked is counted. */
#include "predict/predictor.h"

#include "predict/property.h"
#include "predict/settle.h"
#include "predict/skips.h"

#include <string.h>

enum {
  SHORT_SEARCH = 16,  /* this part of the states, at first */
  STATES_WORK = 1600, /* for all questions, for each state of one of them */
  EVENT_WORK = 150,   /* for each event */
  REPLAYED_WORK = 8,  /* times as much where the replays take longer anyway */
  LEAST_TRIES = 1,    /* seconds */
};

#define WRITING 1e-6 /* seconds for a step of a schedule that nobody replays */

bool predictor_time_is_over(const Predictor *p) {
  return interrupt_cuts() ||
         (p->end > 0 && clock_now() + (double)p->kept * WRITING > p->end) ||
         (p->over > 0 && clock_now() > p->over);
}

/* One part of so many of the time for tries is over. */
static bool has_spent(const Predictor *p, int part) {
  return p->over > 0 && clock_now() > p->first + (p->over - p->first) / part;
}

bool predictor_is_late(const Predictor *p) {
  enum { LATE = 2 };
  return has_spent(p, LATE);
}

bool predictor_is_enough_for_seen(const Predictor *p) {
  enum { ENOUGH = 8 };
  return has_spent(p, ENOUGH);
}

double predictor_search_end(const Predictor *p) {
  double now = clock_now(), end = 2 * now - p->began;
  if (!(p->o->over > 0)) return p->end;
  if (end < p->o->over) end = p->o->over;
  return p->end > 0 && p->end < end ? p->end : end;
}

/* Some tries there are in any case, however long it took to come to them. */
static void begin_tries(Predictor *p) {
  if (p->first > 0) return;
  p->first = clock_now();
  if (!(p->o->over > 0)) return;
  p->over = p->o->over > p->first + LEAST_TRIES ? p->o->over : p->first + LEAST_TRIES;
}

void predictor_set_run(Predictor *p, const Run *run) {
  p->run = run;
  strmap_free(&p->segments);
  strmap_free(&p->asked);
}

void prediction_free(Prediction *x) {
  schedule_free(&x->schedule);
  mem_free(x->shown);
  mem_free(x->rule);
  mem_free(x->rule_file);
  mem_free(x->why);
}

/* ---- what happened ---------------------------------------------------------------- */

/* Where events are missing, nothing is known about order. OpenMP's is not understood. */
static void observe(Predictor *p, Observed *ret) {
  const Trace *trace = p->run->trace;
  RacesOptions options = {
      .window = p->o->window, .deadline = p->end, .progress = p->o->progress};
  if (!p->o->race || !p->o->observe || p->ret->stats.openmp || trace->cut ||
      trace->state & TRACE_INCOMPLETE)
    return;
  observe_races(p->run, &options, p->o->memory, ret);
  for (uint32_t i = 0; i < ret->races.len; i++)
    if (!ret->races.data[i].doubt) map_put(&p->seen, ret->races.data[i].key, 1);
  p->ret->stats.observed_cut = ret->cut;
  p->ret->stats.left_out += ret->left_out;
  p->ret->stats.uncompared += ret->uncompared;
}

/* ---- runs ------------------------------------------------------------------------- */

static bool find_errors(Predictor *p) {
  Races races = {0};
  bool accesses = p->o->race || p->o->replay;
  if (accesses) try_races_begin(p, &races);
  begin_tries(p);
  /* Who skips a wait stands still where in truth it would wait: no deadlock. */
  bool ok = !p->o->deadlock || (try_circles(p) && (p->skipping || try_any_deadlock(p)));
  if (p->o->race) ok = ok && try_races(p, &races);
  if (accesses) try_races_end(p, &races);
  return ok;
}

enum {
  MOST_SKIPPED_STEPS = 100000,
  MOST_SKIPPED_ACCESSES = 2000000,
  MOST_SINGLE_SKIPS = 4
};

static bool find_with_skips(Predictor *p, const Skip *skips, uint32_t count) {
  Trace trace;
  Run variant = {0};
  const Run *original = p->run;
  PredictStats stats = p->ret->stats;
  skips_apply(original, skips, count, &trace);
  run_init(&variant, &trace, p->o->progress);
  predictor_set_run(p, &variant);
  bool ok = find_errors(p);
  predictor_set_run(p, original);
  p->ret->stats = stats; /* they tell of what was recorded */
  run_free(&variant);
  trace_free(&trace);
  return ok;
}

/* All loops that could be left without waiting are, and then one at a time. */
static bool find_without_waits(Predictor *p, bool early) {
  Skips skips = {0};
  bool ok = true;
  if (predictor_is_late(p)) return true;
  if (p->run->steps.len <= MOST_SKIPPED_STEPS &&
      p->run->trace->access_count <= MOST_SKIPPED_ACCESSES)
    skips_find(p->run, early, &skips);
  p->skipping = true;
  if (skips.len && !predictor_time_is_over(p))
    ok = find_with_skips(p, skips.data, skips.len);
  for (uint32_t i = 0; ok && skips.len > 1 && i < skips.len && i < MOST_SINGLE_SKIPS; i++)
    if (!predictor_time_is_over(p)) ok = find_with_skips(p, &skips.data[i], 1);
  p->skipping = false;
  vec_free(&skips);
  return ok;
}

static bool is_openmp(const char *path) {
  const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
  return strncmp(name, "libgomp.so", 10) == 0 || strncmp(name, "libomp.so", 9) == 0 ||
         strncmp(name, "libiomp5.so", 11) == 0;
}

/* The program says so; or its threads come from there. They wait for each other by system
 * calls that are not seen. */
static bool uses_openmp(const Trace *trace) {
  if (trace->state & TRACE_OPENMP && trace->threads.len > 1) return true;
  for (uint32_t i = 0; i < trace->events.len; i++) {
    const TraceModule *found = NULL;
    const TraceEvent *e = &trace->events.data[i];
    if (e->op != TRACE_CREATE) continue;
    for (uint32_t k = 0; k < trace->modules.len; k++) {
      const TraceModule *m = &trace->modules.data[k];
      if (m->base <= e->pc && (!found || m->base > found->base)) found = m;
    }
    if (found && is_openmp(found->path)) return true;
  }
  return false;
}

static void count_reductions(Predictor *p) {
  if (!p->o->count_reductions || !p->o->race) return;
  Intervals memory;
  intervals_find(p->run, p->o->without, p->end, &memory);
  p->ret->stats.reductions = memory.counts;
  p->ret->stats.reductions_cut = memory.cut;
  intervals_free(&memory);
}

bool predict_all(const Run *run, const PredictOptions *options, Predictions *ret,
                 Err *err) {
  Predictor p = {.run = run, .o = options, .ret = ret, .err = err};
  Observed observed = {0};
  *ret = (Predictions){0};
  p.began = clock_now();
  p.end = options->deadline;
  p.limits = p.short_limits = options->limits;
  p.limits.deadline = p.short_limits.deadline = p.end;
  p.limits.as_recorded = p.short_limits.as_recorded = options->as_recorded;
  p.limits.window = p.short_limits.window = options->window;
  p.limits.brief = p.short_limits.brief = !options->replay;
  p.short_limits.search_states = p.limits.search_states / SHORT_SEARCH + 1;
  p.work = options->limits.search_states * STATES_WORK +
           (run->trace->events.len + run->trace->access_count) * EVENT_WORK;
  if (options->replay) p.work *= REPLAYED_WORK;
  ret->stats.events = run->trace->events.len;
  ret->stats.accesses = run->trace->access_count;
  ret->stats.openmp = uses_openmp(run->trace);
  for (uint32_t i = 0; i < run->trace->threads.len; i++)
    ret->stats.threads += run->trace->threads.data[i].known;
  observe(&p, &observed);
  count_reductions(&p);
  bool ok = find_errors(&p);
  if (!options->as_recorded)
    ok = ok && (!options->race || try_races_behind_once(&p)) &&
         (!options->race || !options->replay || try_exchanges(&p)) &&
         find_without_waits(&p, false) && find_without_waits(&p, true);
  settle_observed(&observed, run->trace, ret);
  observe_free(&observed);
  if (ok && options->property) ok = property_predict(run, options, ret, err);
  strmap_free(&p.stuck);
  strmap_free(&p.segments);
  strmap_free(&p.races);
  strmap_free(&p.asked);
  mem_free(p.program);
  map_free(&p.pairs);
  map_free(&p.met);
  map_free(&p.seen);
  progress_end(options->progress);
  return ok;
}

void predict_free(Predictions *predictions) {
  for (uint32_t i = 0; i < predictions->predictions.len; i++)
    prediction_free(&predictions->predictions.data[i]);
  vec_free(&predictions->predictions);
  *predictions = (Predictions){0};
}
