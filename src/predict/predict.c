/* See predict.h.
 *
 * Circles of locks first, since they are few; then deadlocks of any kind by the CSP
 * checker; then races. A situation is asked for orders until one shows the error, none is
 * left, or enough were tried; of races each gets one try before any gets a second. An error
 * that an earlier replay showed at the same places is not sought again. */
#include "predict/predict.h"

#include "predict/once.h"
#include "predict/property.h"
#include "predict/skips.h"

#include <string.h>
#include <time.h>

typedef struct {
  const Run *run;
  const PredictOptions *o;
  Predictions *ret;
  Err *err;
  double end;      /* or 0 */
  bool skipping;   /* `run` is one without some waits */
  StrMap stuck;    /* places of the deadlocks that showed */
  StrMap segments; /* SegmentKey of the races that showed */
  StrMap races;    /* RaceKey of the races that are reported */
  Map pairs;       /* keys of the candidates that were looked at */
} Predictor;

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static bool time_is_over(const Predictor *p) {
  return p->end > 0 && now() > p->end;
}

void prediction_free(Prediction *x) {
  schedule_free(&x->schedule);
  mem_free(x->shown);
  mem_free(x->rule);
  mem_free(x->rule_file);
  mem_free(x->why);
}

/* ---- one situation ---------------------------------------------------------------- */

static bool showed(const Prediction *x, const Control *c) {
  return c->outcome == (x->property == PREDICT_RACE ? CONTROL_RACE : CONTROL_DEADLOCK) ||
         (x->property == PREDICT_RACE && c->outcome == CONTROL_DEADLOCK);
}

/* Replays one order. False for an error. */
static bool try_order(Predictor *p, Prediction *x, const StepOrder *order) {
  Control *c = NULL;
  schedule_free(&x->schedule);
  schedule_init(&x->schedule);
  schedule_from_order(&x->schedule, p->run, order,
                      x->property == PREDICT_RACE ? &x->pair : NULL);
  if (p->o->program && !schedule_set_program(&x->schedule, p->o->program, p->err))
    return false;
  if (!p->o->replay) return true;
  x->tries++;
  p->ret->stats.replays++;
  progress_step(p->o->progress, 1, "replaying");
  if (!p->o->replay(p->o->user, &x->schedule, &c, p->err)) return false;
  if (x->property == PREDICT_RACE && !showed(x, c) && c->at == x->schedule.steps.len &&
      c->outcome == CONTROL_DIVERGED && c->diverged_op != TRACE_NONE &&
      x->schedule.hold[0].pc && x->schedule.hold[1].pc) {
    /* The steps were followed, but not to that memory: it may lie elsewhere this time. */
    mem_free(c);
    c = NULL;
    x->schedule.hold[0].size = x->schedule.hold[1].size = 0;
    if (!p->o->replay(p->o->user, &x->schedule, &c, p->err)) return false;
  }
  mem_free(x->shown);
  x->shown = c;
  x->confirmation = (Confirmation){0};
  if (showed(x, c)) {
    x->state = PREDICT_REPLAYED;
    if (c->outcome == CONTROL_DEADLOCK)
      x->property = PREDICT_DEADLOCK;
    else if (c->outcome == CONTROL_RACE)
      x->confirmation = confirm_race(&x->schedule, c);
    if (x->confirmation.refuted) x->state = PREDICT_OPEN;
  } else if (c->outcome != CONTROL_DIVERGED && c->outcome != CONTROL_FOLLOWED) {
    x->state = PREDICT_OPEN; /* the time was over on the way */
  }
  return true;
}

/* Which orders of a situation: all, only the first one when it is cheap to have, or all
 * but that one. */
typedef enum { ORDERS_ALL, ORDERS_QUICK, ORDERS_REST } Orders;

/* Asks for orders until the error shows. *ret_found: at least one order exists. */
static bool try_situation(Predictor *p, Prediction *x, Solver *solver, Orders which,
                          bool *ret_found) {
  StepOrder order = {0};
  bool ok = true;
  *ret_found = false;
  uint32_t most = p->o->replay && which != ORDERS_QUICK ? p->o->orders : 1;
  for (uint32_t i = 0; ok && i < most && x->state != PREDICT_REPLAYED; i++) {
    if (time_is_over(p)) {
      if (which == ORDERS_QUICK) break; /* it is counted when its turn comes again */
      p->ret->stats.unexplored++;
      x->state = PREDICT_OPEN;
      break;
    }
    SolveAnswer answer =
        which == ORDERS_QUICK ? solve_quick(solver, &order) : solve_next(solver, &order);
    if (which == ORDERS_REST && answer == SOLVE_FOUND && solve_was_quick(solver))
      continue;
    if (answer == SOLVE_UNDECIDED) p->ret->stats.undecided++;
    if (answer != SOLVE_FOUND) break;
    x->way = solve_way(solver);
    x->state = p->o->replay ? PREDICT_DROPPED : PREDICT_OPEN;
    *ret_found = true;
    ok = try_order(p, x, &order);
  }
  vec_free(&order);
  return ok;
}

/* ---- deadlocks -------------------------------------------------------------------- */

/* True when no deadlock showed at these places before. */
static bool new_deadlock(Predictor *p, const Prediction *x) {
  Str key = {0};
  if (!x->shown || x->state != PREDICT_REPLAYED) return true;
  uint64_t places[CONTROL_STUCK], n = 0;
  bool all_join = true; /* who joins a stuck thread is no cause */
  for (uint32_t i = 0; i < x->shown->stuck_count; i++)
    all_join &= x->shown->stuck[i].op == TRACE_JOIN;
  for (uint32_t i = 0; i < x->shown->stuck_count; i++) {
    if (x->shown->stuck[i].op == TRACE_JOIN && !all_join) continue;
    uint64_t place = x->shown->stuck[i].pc, at = n++;
    for (; at > 0 && places[at - 1] > place; at--) places[at] = places[at - 1];
    places[at] = place;
  }
  str_add_bytes(&key, places, n * sizeof *places);
  uint64_t *seen = strmap_at(&p->stuck, str_text(&key), key.len);
  bool fresh = !*seen;
  *seen = 1;
  str_free(&key);
  return fresh;
}

static void keep(Predictor *p, Prediction *x, bool found) {
  /* That a run which was merely thought out cannot be followed is no news. */
  if (p->skipping && x->state != PREDICT_REPLAYED && p->o->replay) found = false;
  if (found && (x->property != PREDICT_DEADLOCK || new_deadlock(p, x)))
    vec_push(&p->ret->predictions, *x);
  else
    prediction_free(x);
}

/* All within the window. */
static bool are_near(const Predictor *p, const Circle *c) {
  for (uint32_t i = 0; p->o->window && i < c->targets.len; i++)
    for (uint32_t k = 0; k < i; k++) {
      const Target *a = &c->targets.data[i], *b = &c->targets.data[k];
      if (run_distance(p->run, a->thread, a->position, b->thread, b->position) >
          p->o->window)
        return false;
    }
  return true;
}

static bool find_circles(Predictor *p) {
  Circles circles;
  bool ok = true, found;
  StrMap tried = {0};
  deadlocks_find(p->run, &circles);
  p->ret->stats.circles = circles.circles.len;
  progress_phase(p->o->progress, "deadlocks", circles.circles.len);
  for (uint32_t i = 0; ok && i < circles.circles.len; i++) {
    const Circle *c = &circles.circles.data[i];
    /* The same places in the code, in other threads or rounds: once it is shown, enough.
     */
    Str key = {0};
    for (uint32_t k = 0; k < c->targets.len; k++) {
      const RunThread *t = &p->run->threads.data[c->targets.data[k].thread];
      const Step *s = &p->run->steps.data[t->steps.data[c->targets.data[k].position]];
      str_add_bytes(&key, &p->run->trace->events.data[s->event].pc, 8);
      str_add_bytes(&key, &s->lock, sizeof s->lock);
    }
    uint64_t *known = strmap_at(&tried, str_text(&key), key.len);
    bool far = !are_near(p, c), skip = *known != 0 || far;
    p->ret->stats.distant += far;
    if (!skip) {
      Prediction x = {.property = PREDICT_DEADLOCK};
      schedule_init(&x.schedule);
      Solver *solver =
          solve_begin(p->run, c->targets.data, c->targets.len, &p->o->limits);
      ok = try_situation(p, &x, solver, ORDERS_ALL, &found);
      solve_end(solver);
      if (found && x.state == PREDICT_REPLAYED)
        *strmap_at(&tried, str_text(&key), key.len) = 1;
      keep(p, &x, found);
    }
    str_free(&key);
    progress_step(p->o->progress, 1, NULL);
  }
  strmap_free(&tried);
  deadlocks_free(&circles);
  return ok;
}

/* Deadlocks that are no circles of locks: the whole run as a CSP system. */
static bool find_any_deadlock(Predictor *p) {
  Solver *solver = solve_begin(p->run, NULL, 0, &p->o->limits);
  Prediction x = {.property = PREDICT_DEADLOCK};
  bool found, ok;
  uint64_t before = p->ret->stats.undecided;
  schedule_init(&x.schedule);
  ok = try_situation(p, &x, solver, ORDERS_ALL, &found);
  if (p->ret->stats.undecided > before) {
    p->ret->stats.undecided = before;
    p->ret->stats.deadlock_undecided = true;
  }
  solve_end(solver);
  keep(p, &x, ok && found);
  return ok;
}

/* ---- races ------------------------------------------------------------------------ */

/* Two segments of threads and a word: one race among them tells of all (5.5.3). */
typedef struct {
  uint64_t word;
  uint32_t thread_a, position_a, thread_b, position_b;
} SegmentKey;

static uint64_t *segments_seen(Predictor *p, const RacePair *pair) {
  uint64_t address =
      pair->a.address > pair->b.address ? pair->a.address : pair->b.address;
  SegmentKey key = {address / 8, pair->a.thread, pair->a.position, pair->b.thread,
                    pair->b.position};
  return strmap_at(&p->segments, (const char *)&key, sizeof key);
}

/* The same places and memory in a run that was made of this one (skips.h). */
typedef struct {
  uint64_t low, high, word;
} RaceKey;

static uint64_t *race_reported(Predictor *p, const RacePair *pair) {
  const RaceAccess *a = &pair->a, *b = &pair->b;
  RaceKey key = {a->pc < b->pc ? a->pc : b->pc, a->pc < b->pc ? b->pc : a->pc,
                 (a->address > b->address ? a->address : b->address) / 8};
  return strmap_at(&p->races, (const char *)&key, sizeof key);
}

typedef struct {
  Prediction x;
  bool any;       /* an order was found */
  uint32_t quick; /* bits: pairs whose first order was tried */
} RaceTry;

static bool try_pair(Predictor *p, RaceTry *t, const RacePair *pair, Orders which,
                     bool *ret_found) {
  Target targets[] = {{pair->a.thread, pair->a.position},
                      {pair->b.thread, pair->b.position}};
  Solver *solver = solve_begin(p->run, targets, 2, &p->o->limits);
  RacePair before = t->x.pair;
  t->x.pair = *pair;
  bool ok = try_situation(p, &t->x, solver, which, ret_found);
  if (!*ret_found) t->x.pair = before;
  t->any |= *ret_found;
  solve_end(solver);
  if (t->x.state == PREDICT_REPLAYED) *segments_seen(p, pair) = 1;
  return ok;
}

static bool try_race(Predictor *p, RaceTry *t, const RaceCandidate *c, bool quick) {
  bool ok = true, found;
  if (t->x.state == PREDICT_REPLAYED) return true;
  for (uint32_t i = 0; i < c->pairs.len; i++)
    if (*segments_seen(p, &c->pairs.data[i]) ||
        (p->skipping && *race_reported(p, &c->pairs.data[i]))) {
      t->any = false; /* another race tells of it */
      return true;
    }
  for (uint32_t i = 0; ok && i < c->pairs.len && t->x.state != PREDICT_REPLAYED; i++) {
    bool tried = t->quick >> i & 1;
    ok = try_pair(p, t, &c->pairs.data[i],
                  quick   ? ORDERS_QUICK
                  : tried ? ORDERS_REST
                          : ORDERS_ALL,
                  &found);
    if (quick && found) t->quick |= 1u << i;
    if (!p->o->replay && t->any) break;
  }
  return ok;
}

/* First one order for every pair, where it is cheap to have; then all the others: what is
 * really there shows soon, whatever else is only predicted. */
static bool try_races(Predictor *p, const Races *races) {
  uint32_t count = races->candidates.len;
  RaceTry *tries = mem_alloc_zero((count + 1) * sizeof *tries);
  bool ok = true;
  for (uint32_t i = 0; i < count; i++) {
    uint64_t *known = map_at(&p->pairs, races->candidates.data[i].key);
    tries[i].x.property = PREDICT_RACE;
    schedule_init(&tries[i].x.schedule);
    p->ret->stats.race_candidates += !*known;
    bool done = *known && !p->skipping; /* what could not be followed may be, without waits */
    tries[i].x.state = done ? PREDICT_REPLAYED : PREDICT_OPEN;
    *known = 1;
  }
  for (int quick = p->o->replay != NULL; quick >= 0; quick--) {
    progress_phase(p->o->progress, quick ? "races" : "races, further orders", count);
    for (uint32_t i = 0; ok && i < count; i++) {
      ok = try_race(p, &tries[i], &races->candidates.data[i], quick);
      progress_step(p->o->progress, 1, NULL);
    }
  }
  for (uint32_t i = 0; i < count; i++) {
    if (tries[i].any && tries[i].x.state != PREDICT_DROPPED)
      *race_reported(p, &tries[i].x.pair) = 1;
    keep(p, &tries[i].x, ok && tries[i].any);
  }
  mem_free(tries);
  return ok;
}

static bool find_races(Predictor *p) {
  Races races;
  RacesOptions options = {p->o->window, p->end, p->o->progress};
  races_find(p->run, &options, &races);
  p->ret->stats.distant += races.distant;
  p->ret->stats.left_out += races.left_out;
  bool ok = try_races(p, &races);
  races_free(&races);
  return ok;
}

/* The same for runs in which other threads run the routines of pthread_once: what is new
 * in them. */
enum { MOST_SWAPS = 16, MOST_COPIED = 20000000 };

static bool find_races_behind_once(Predictor *p) {
  const Run *recorded = p->run;
  OnceSwaps swaps = {0};
  bool ok = true;
  uint64_t size = recorded->trace->events.len + recorded->trace->access_count, copied = 0;
  once_find(recorded, &swaps);
  for (uint32_t i = 0; ok && i < swaps.len; i++) {
    Trace trace = {0};
    Run run;
    copied += size;
    if (i >= MOST_SWAPS || copied > MOST_COPIED || time_is_over(p)) {
      p->ret->stats.unswapped += swaps.len - i;
      break;
    }
    if (!once_swap(recorded, &swaps.data[i], &p->o->limits, &trace)) continue;
    run_init(&run, &trace, p->o->progress);
    p->run = &run;
    strmap_free(&p->segments); /* its positions are others */
    ok = find_races(p);
    run_free(&run);
    trace_free(&trace);
  }
  p->run = recorded;
  vec_free(&swaps);
  return ok;
}

/* ---- runs ------------------------------------------------------------------------- */

static bool find_errors(Predictor *p) {
  if (p->o->deadlock && !find_circles(p)) return false;
  /* Who skips a wait stands still where in truth it would wait: no deadlock. */
  if (p->o->deadlock && !p->skipping && !find_any_deadlock(p)) return false;
  return !p->o->race || find_races(p);
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
  p->run = &variant;
  bool ok = find_errors(p);
  p->run = original;
  p->ret->stats = stats; /* they tell of what was recorded */
  run_free(&variant);
  trace_free(&trace);
  return ok;
}

/* All loops that could be left without waiting are, and then one at a time. */
static bool find_without_waits(Predictor *p) {
  Skips skips = {0};
  bool ok = true;
  if (p->run->steps.len <= MOST_SKIPPED_STEPS &&
      p->run->trace->access_count <= MOST_SKIPPED_ACCESSES)
    skips_find(p->run, &skips);
  p->skipping = true;
  if (skips.len && !time_is_over(p)) ok = find_with_skips(p, skips.data, skips.len);
  for (uint32_t i = 0; ok && skips.len > 1 && i < skips.len && i < MOST_SINGLE_SKIPS; i++)
    if (!time_is_over(p)) ok = find_with_skips(p, &skips.data[i], 1);
  p->skipping = false;
  vec_free(&skips);
  return ok;
}

bool predict_all(const Run *run, const PredictOptions *options, Predictions *ret,
                 Err *err) {
  Predictor p = {.run = run, .o = options, .ret = ret, .err = err};
  *ret = (Predictions){0};
  if (options->seconds > 0) p.end = now() + options->seconds;
  ret->stats.events = run->trace->events.len;
  ret->stats.accesses = run->trace->access_count;
  for (uint32_t i = 0; i < run->trace->threads.len; i++)
    ret->stats.threads += run->trace->threads.data[i].known;
  bool ok = find_errors(&p) && (!options->race || find_races_behind_once(&p)) &&
            find_without_waits(&p);
  if (ok && options->property) ok = property_predict(run, options, ret, err);
  strmap_free(&p.stuck);
  strmap_free(&p.segments);
  strmap_free(&p.races);
  map_free(&p.pairs);
  progress_end(options->progress);
  return ok;
}

void predict_free(Predictions *predictions) {
  for (uint32_t i = 0; i < predictions->predictions.len; i++)
    prediction_free(&predictions->predictions.data[i]);
  vec_free(&predictions->predictions);
  *predictions = (Predictions){0};
}
