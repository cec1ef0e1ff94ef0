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
#include "predict/predict.h"

#include "predict/deadline.h"
#include "predict/once.h"
#include "predict/property.h"
#include "predict/settle.h"
#include "predict/skips.h"

#include <string.h>

enum {
  MOST_ALIKE = 16,     /* circles of the same places that are asked */
  SHORT_SEARCH = 16,   /* this part of the states, at first */
  STATES_WORK = 1600,  /* for all questions, for each state of one of them */
  EVENT_WORK = 150,    /* for each event */
  REPLAYED_WORK = 8,   /* times as much where the replays take longer anyway */
  ORDERS_FOR_SEEN = 2, /* tried for a race that happened, which needs none of them */
};

#define WRITING 1e-6 /* seconds for a step of a schedule that nobody replays */

typedef struct {
  const Run *run;
  const PredictOptions *o;
  Predictions *ret;
  Err *err;
  double end;    /* or 0 */
  uint64_t work; /* that is left for questions */
  uint64_t kept; /* steps of schedules that will be written */
  SolveLimits limits, short_limits;
  const Sources *strict; /* of the races that are tried, or NULL */
  Map seen;      /* keys of the races that happened: these are errors without a replay */
  bool is_seen;  /* one of them is asked for */
  bool skipping; /* `run` is one without some waits */
  StrMap stuck;  /* places of the deadlocks that showed */
  StrMap segments; /* SegmentKey of the races that showed */
  StrMap races;    /* RaceKey of the races that are reported */
  Map pairs;       /* keys of the candidates that were looked at */
  StrMap asked;    /* SituationKey → Asked, of this run */
  bool stamped;    /* name and hash of the program are known: */
  char *program;
  uint64_t program_hash;
} Predictor;

/* What was found has still to be written. */
static bool time_is_over(const Predictor *p) {
  return interrupt_cuts() ||
         (p->end > 0 && clock_now() + (double)p->kept * WRITING > p->end);
}

/* The run is another one: what is known by positions does not hold in it. */
static void set_run(Predictor *p, const Run *run) {
  p->run = run;
  strmap_free(&p->segments);
  strmap_free(&p->asked);
}

/* Ends the question, which is paid for. */
static void end_question(Predictor *p, Solver *solver) {
  uint64_t work = solve_work(solver);
  p->work = p->work > work ? p->work - work : 0;
  solve_end(solver);
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
  return c->outcome == (x->property == PROPERTY_RACE ? CONTROL_RACE : CONTROL_DEADLOCK) ||
         (x->property == PROPERTY_RACE && c->outcome == CONTROL_DEADLOCK);
}

/* The program of a schedule; its file is read once. */
static bool stamp(Predictor *p, Schedule *s) {
  if (p->stamped) {
    s->program = arena_strdup(s->arena, p->program);
    s->program_hash = p->program_hash;
    return true;
  }
  if (!schedule_set_program(s, p->o->program, p->err)) return false;
  p->program = str_dup(s->program);
  p->program_hash = s->program_hash;
  p->stamped = true;
  return true;
}

/* Replays one order. False for an error. */
static bool try_order(Predictor *p, Prediction *x, const StepOrder *order) {
  Control *c = NULL;
  schedule_free(&x->schedule);
  schedule_init(&x->schedule);
  schedule_from_order(&x->schedule, p->run, order,
                      x->property == PROPERTY_RACE ? &x->pair : NULL);
  if (p->o->program && !stamp(p, &x->schedule)) return false;
  if (!p->o->replay) {
    p->kept += order->len;
    return true;
  }
  x->tries++;
  p->ret->stats.replays++;
  progress_step(p->o->progress, 1, "replaying");
  if (!p->o->replay(p->o->user, &x->schedule, &c, p->err)) return false;
  if (x->property == PROPERTY_RACE && !showed(x, c) && c->at == x->schedule.steps.len &&
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
      x->property = PROPERTY_DEADLOCK;
    else if (c->outcome == CONTROL_RACE)
      x->confirmation = confirm_race(&x->schedule, c);
    if (p->ret->stats.openmp && c->outcome == CONTROL_RACE)
      x->confirmation.refuted =
          "both threads stood before their accesses, but OpenMP's own synchronisation, "
          "which is not understood, may order them";
    if (x->confirmation.refuted) x->state = PREDICT_OPEN;
  } else if (c->outcome != CONTROL_DIVERGED && c->outcome != CONTROL_FOLLOWED) {
    x->state = PREDICT_OPEN; /* the time was over on the way */
  }
  return true;
}

/* Other orders would not tell more than that it is not known. */
static bool stays_open(const Predictor *p, const Prediction *x) {
  return x->state == PREDICT_OPEN && x->shown &&
         (x->shown->outcome == CONTROL_WAITING ||
          (p->ret->stats.openmp && x->confirmation.refuted));
}

/* Every access up to the situation finds what was written there before it in the recorded
 * run. */
static bool keeps_values(const Predictor *p, const Prediction *x,
                         const StepOrder *order) {
  const Run *run = p->run;
  if (!p->strict || !str_eq(x->way, "values")) return false;
  uint32_t *taken = mem_alloc_zero((run->threads.len + 1) * sizeof *taken);
  bool kept = true;
  for (uint32_t i = 0; i < order->len; i++)
    taken[run->steps.data[order->data[i]].thread]++;
  for (uint32_t t = 0; kept && t < run->threads.len; t++) {
    const SourceList *list = sources_of(p->strict, t);
    for (uint32_t i = 0; kept && list && i < list->len; i++) {
      const Source *s = &list->data[i];
      if (s->position > taken[t]) break;
      kept = taken[s->thread] >= s->steps;
    }
  }
  mem_free(taken);
  return kept;
}

/* Which orders of a situation: all, only the first one when it is cheap to have, or all
 * but that one. */
typedef enum { ORDERS_ALL, ORDERS_QUICK, ORDERS_REST } Orders;

/* Asks for orders until the error shows. *ret_found: at least one order exists. The answer
 * is the last one; SOLVE_FOUND also when the time was over first. */
static bool try_situation(Predictor *p, Prediction *x, Solver *solver, Orders which,
                          bool *ret_found, SolveAnswer *ret_answer) {
  StepOrder order = {0};
  bool ok = true;
  *ret_found = false;
  *ret_answer = SOLVE_FOUND;
  uint32_t most = p->o->replay && which != ORDERS_QUICK ? p->o->orders : 1;
  if (p->is_seen && most > ORDERS_FOR_SEEN) most = ORDERS_FOR_SEEN;
  for (uint32_t i = 0; ok && i < most && x->state != PREDICT_REPLAYED; i++) {
    if (time_is_over(p)) {
      if (which == ORDERS_QUICK) break; /* it is counted when its turn comes again */
      p->ret->stats.unexplored++;
      /* No order keeps the values that were read, and those that do not were tried in vain:
       * nothing that is worth a story. */
      if (x->property != PROPERTY_RACE || !x->tries) x->state = PREDICT_OPEN;
      break;
    }
    SolveAnswer answer =
        which == ORDERS_QUICK ? solve_quick(solver, &order) : solve_next(solver, &order);
    if (which == ORDERS_REST && answer == SOLVE_FOUND && solve_was_quick(solver))
      continue;
    *ret_answer = answer;
    if (answer != SOLVE_FOUND) break;
    x->way = solve_way(solver);
    x->state = p->o->replay ? PREDICT_DROPPED : PREDICT_OPEN;
    *ret_found = true;
    ok = try_order(p, x, &order);
    if (x->state == PREDICT_DROPPED && keeps_values(p, x, &order)) x->surprised = true;
    if (stays_open(p, x)) break;
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
  if (found && (x->property != PROPERTY_DEADLOCK || new_deadlock(p, x)))
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

/* The places in the code, in other threads, rounds, or with other locks of a kind: the
 * same circle to the reader. */
static void add_places(const Predictor *p, const Circle *c, Str *key) {
  uint32_t first = 0, n = c->targets.len;
  uint64_t *places = mem_alloc((n + 1) * sizeof *places);
  for (uint32_t i = 0; i < n; i++) {
    const RunThread *t = &p->run->threads.data[c->targets.data[i].thread];
    const Step *s = &p->run->steps.data[t->steps.data[c->targets.data[i].position]];
    places[i] = p->run->trace->events.data[s->event].pc;
    if (places[i] < places[first]) first = i;
  }
  for (uint32_t i = 0; i < n; i++)
    str_add_bytes(key, &places[(first + i) % n], sizeof *places);
  mem_free(places);
}

/* Of one circle; *known counts those of its places that were asked, and is set to the most
 * when one of them is reported. */
static bool try_circle(Predictor *p, const Circle *c, uint64_t *known) {
  bool found = false, ok;
  SolveAnswer answer;
  if (*known >= MOST_ALIKE || !p->work || time_is_over(p)) {
    if (*known < MOST_ALIKE && p->work)
      p->ret->stats.unexplored++;
    else
      p->ret->stats.unasked += *known <= MOST_ALIKE; /* not those of a known error */
    return true;
  }
  ++*known;
  Prediction x = {.property = PROPERTY_DEADLOCK};
  schedule_init(&x.schedule);
  Solver *solver = solve_begin(p->run, c->targets.data, c->targets.len, &p->limits);
  ok = try_situation(p, &x, solver, ORDERS_ALL, &found, &answer);
  p->ret->stats.undecided += answer == SOLVE_UNDECIDED;
  end_question(p, solver);
  if (found && (x.state == PREDICT_REPLAYED || !p->o->replay)) *known = MOST_ALIKE + 1;
  keep(p, &x, found);
  return ok;
}

static bool find_circles(Predictor *p) {
  Circles circles;
  bool ok = true;
  StrMap tried = {0};
  deadlocks_find(p->run, &circles);
  p->ret->stats.circles = circles.circles.len;
  p->ret->stats.circles_cut |= circles.cut;
  progress_phase(p->o->progress, "deadlocks", circles.circles.len);
  for (uint32_t i = 0; ok && i < circles.circles.len; i++) {
    const Circle *c = &circles.circles.data[i];
    Str key = {0};
    add_places(p, c, &key);
    bool far = !are_near(p, c);
    p->ret->stats.distant += far;
    if (!far) ok = try_circle(p, c, strmap_at(&tried, str_text(&key), key.len));
    str_free(&key);
    progress_step(p->o->progress, 1, NULL);
  }
  strmap_free(&tried);
  deadlocks_free(&circles);
  return ok;
}

/* Deadlocks that are no circles of locks: the whole run as a CSP system. */
static bool find_any_deadlock(Predictor *p) {
  if (time_is_over(p)) {
    p->ret->stats.deadlock_undecided = true;
    return true;
  }
  Solver *solver = solve_begin(p->run, NULL, 0, &p->limits);
  Prediction x = {.property = PROPERTY_DEADLOCK};
  SolveAnswer answer;
  bool found, ok;
  schedule_init(&x.schedule);
  ok = try_situation(p, &x, solver, ORDERS_ALL, &found, &answer);
  p->ret->stats.deadlock_undecided |= answer == SOLVE_UNDECIDED;
  end_question(p, solver);
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

/* What is known of two positions of two threads. */
typedef struct {
  uint32_t thread_a, position_a, thread_b, position_b;
} SituationKey;

typedef enum {
  ASKED_NOT,
  ASKED_QUICKLY, /* the cheapest way does not lead there */
  ASKED_SHORTLY, /* a short search was given up */
  ASKED_IN_VAIN, /* no order leads there, or none was found: it is not asked again */
} Asked;

static uint64_t *situation(Predictor *p, const RacePair *pair) {
  SituationKey key = {pair->a.thread, pair->a.position, pair->b.thread, pair->b.position};
  return strmap_at(&p->asked, (const char *)&key, sizeof key);
}

/* Rounds of questions: only the cheapest way; all ways, the search a short one where
 * nothing is replayed; a long search for what is left. */
typedef enum { ROUND_QUICK, ROUND_ALL, ROUND_DEEP } Effort;

typedef struct {
  Prediction x;
  bool any;       /* an order was found */
  bool told;      /* another race tells of it */
  uint32_t quick; /* bits: pairs whose first order was tried */
} RaceTry;

static bool is_done(const Predictor *p, const RaceTry *t) {
  return t->told || t->x.state == PREDICT_REPLAYED || (!p->o->replay && t->any);
}

/* True when the question is to be asked in this round. What cannot be asked is counted in
 * the last round that it had. */
static bool may_ask(Predictor *p, const RacePair *pair, Effort effort) {
  uint64_t asked = *situation(p, pair);
  if (asked == ASKED_IN_VAIN || (effort == ROUND_DEEP) != (asked == ASKED_SHORTLY) ||
      (effort == ROUND_QUICK && asked == ASKED_QUICKLY))
    return false;
  if (p->work) return true;
  if (effort == ROUND_ALL) {
    p->ret->stats.unasked++;
    *situation(p, pair) = ASKED_IN_VAIN;
  }
  if (effort == ROUND_DEEP) p->ret->stats.undecided++;
  return false;
}

/* Of a situation to which no order was found. (Where one was, other accesses in it may
 * show what these did not.) */
static void note_answer(Predictor *p, const RacePair *pair, Effort effort,
                        SolveAnswer answer) {
  bool shortly = effort == ROUND_ALL && !p->o->replay;
  if (answer == SOLVE_FOUND) return; /* the time was over */
  *situation(p, pair) = effort == ROUND_QUICK                  ? ASKED_QUICKLY
                        : answer == SOLVE_UNDECIDED && shortly ? ASKED_SHORTLY
                                                               : ASKED_IN_VAIN;
  if (answer == SOLVE_UNDECIDED && !shortly) p->ret->stats.undecided++;
}

static bool try_pair(Predictor *p, RaceTry *t, const RacePair *pair, Effort effort,
                     uint32_t bit) {
  Target targets[] = {{pair->a.thread, pair->a.position},
                      {pair->b.thread, pair->b.position}};
  bool found, shortly = effort == ROUND_ALL && !p->o->replay;
  SolveAnswer answer;
  if (!may_ask(p, pair, effort)) return true;
  Solver *solver =
      solve_begin(p->run, targets, 2, shortly ? &p->short_limits : &p->limits);
  if (*situation(p, pair) == ASKED_QUICKLY) solve_skip_quick(solver);
  if (effort == ROUND_DEEP) solve_only_search(solver);
  RacePair before = t->x.pair;
  t->x.pair = *pair;
  Orders which = effort == ROUND_QUICK ? ORDERS_QUICK
                 : t->quick & bit      ? ORDERS_REST
                                       : ORDERS_ALL;
  bool ok = try_situation(p, &t->x, solver, which, &found, &answer);
  if (!found) t->x.pair = before;
  if (effort == ROUND_QUICK && found) t->quick |= bit;
  t->any |= found;
  if (!found) note_answer(p, pair, effort, answer);
  end_question(p, solver);
  if (t->x.state == PREDICT_REPLAYED) *segments_seen(p, pair) = 1;
  return ok;
}

/* Another race was shown for one of its pairs. */
static bool is_told(Predictor *p, const RaceCandidate *c) {
  for (uint32_t i = 0; i < c->pairs.len; i++)
    if (*segments_seen(p, &c->pairs.data[i]) ||
        (p->skipping && *race_reported(p, &c->pairs.data[i])))
      return true;
  return false;
}

/* The k-th pair of each candidate, for one k after the other: what is really there shows
 * soon, whatever else is only predicted. */
static bool try_round(Predictor *p, const Races *races, RaceTry *tries, Effort effort) {
  static const char *const names[] = {"races", "races, further orders",
                                      "races, longer searches"};
  uint32_t count = races->candidates.len, most = 0;
  bool ok = true;
  for (uint32_t i = 0; i < count; i++)
    if (races->candidates.data[i].pairs.len > most)
      most = races->candidates.data[i].pairs.len;
  progress_phase(p->o->progress, names[effort], count * (uint64_t)most);
  for (uint32_t k = 0; k < most; k++)
    for (uint32_t i = 0; ok && i < count; i++) {
      const RaceCandidate *c = &races->candidates.data[i];
      progress_step(p->o->progress, 1, NULL);
      if (k >= c->pairs.len || is_done(p, &tries[i])) continue;
      p->is_seen = map_get(&p->seen, c->key) != NULL;
      if (p->is_seen && effort != ROUND_QUICK && (k || effort == ROUND_DEEP)) continue;
      if (is_told(p, c)) {
        tries[i].told = true;
        tries[i].any = false;
        continue;
      }
      ok = try_pair(p, &tries[i], &c->pairs.data[k], effort, 1u << k);
    }
  p->is_seen = false;
  return ok;
}

static bool try_races(Predictor *p, const Races *races) {
  uint32_t count = races->candidates.len;
  RaceTry *tries = mem_alloc_zero((count + 1) * sizeof *tries);
  bool ok = true;
  for (uint32_t i = 0; i < count; i++) {
    uint64_t *known = map_at(&p->pairs, races->candidates.data[i].key);
    tries[i].x.property = PROPERTY_RACE;
    schedule_init(&tries[i].x.schedule);
    p->ret->stats.race_candidates += !*known;
    bool done =
        *known && !p->skipping; /* what could not be followed may be, without waits */
    tries[i].x.state = done ? PREDICT_REPLAYED : PREDICT_OPEN;
    *known = 1;
  }
  for (Effort effort = ROUND_QUICK; ok && effort <= ROUND_DEEP; effort++)
    ok = try_round(p, races, tries, effort);
  for (uint32_t i = 0; i < count; i++) {
    /* The program reads what it read and still goes another way: what decides about that
     * was not seen, and other runs may well lead there. */
    if (tries[i].x.state == PREDICT_DROPPED && tries[i].x.surprised)
      tries[i].x.state = PREDICT_OPEN;
    if (tries[i].any && tries[i].x.state != PREDICT_DROPPED)
      *race_reported(p, &tries[i].x.pair) = 1;
    keep(p, &tries[i].x, ok && tries[i].any);
  }
  mem_free(tries);
  return ok;
}

static bool find_races(Predictor *p) {
  Races races;
  RacesOptions options = {
      .window = p->o->window, .deadline = p->end, .progress = p->o->progress};
  races_find(p->run, &options, &races);
  p->ret->stats.distant += races.distant;
  p->ret->stats.left_out += races.left_out;
  p->ret->stats.uncompared += races.uncompared;
  p->ret->stats.races_cut |= races.cut;
  p->limits.sources = p->short_limits.sources = &races.sources;
  p->strict = &races.strict;
  bool ok = try_races(p, &races);
  p->limits.sources = p->short_limits.sources = NULL;
  p->strict = NULL;
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
    if (!once_swap(recorded, &swaps.data[i], &p->limits, &trace)) continue;
    run_init(&run, &trace, p->o->progress);
    set_run(p, &run);
    ok = find_races(p);
    run_free(&run);
    trace_free(&trace);
  }
  set_run(p, recorded);
  vec_free(&swaps);
  return ok;
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
  set_run(p, &variant);
  bool ok = find_errors(p);
  set_run(p, original);
  p->ret->stats = stats; /* they tell of what was recorded */
  run_free(&variant);
  trace_free(&trace);
  return ok;
}

/* All loops that could be left without waiting are, and then one at a time. */
static bool find_without_waits(Predictor *p, bool early) {
  Skips skips = {0};
  bool ok = true;
  if (p->run->steps.len <= MOST_SKIPPED_STEPS &&
      p->run->trace->access_count <= MOST_SKIPPED_ACCESSES)
    skips_find(p->run, early, &skips);
  p->skipping = true;
  if (skips.len && !time_is_over(p)) ok = find_with_skips(p, skips.data, skips.len);
  for (uint32_t i = 0; ok && skips.len > 1 && i < skips.len && i < MOST_SINGLE_SKIPS; i++)
    if (!time_is_over(p)) ok = find_with_skips(p, &skips.data[i], 1);
  p->skipping = false;
  vec_free(&skips);
  return ok;
}

static bool is_openmp(const char *path) {
  const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
  return strncmp(name, "libgomp.so", 10) == 0 || strncmp(name, "libomp.so", 9) == 0 ||
         strncmp(name, "libiomp5.so", 11) == 0;
}

/* Its threads come from there, whatever else is linked. They wait for each other by system
 * calls that are not seen. */
static bool uses_openmp(const Trace *trace) {
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

bool predict_all(const Run *run, const PredictOptions *options, Predictions *ret,
                 Err *err) {
  Predictor p = {.run = run, .o = options, .ret = ret, .err = err};
  Observed observed = {0};
  *ret = (Predictions){0};
  p.end = options->deadline;
  p.limits = p.short_limits = options->limits;
  p.limits.deadline = p.short_limits.deadline = p.end;
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
  bool ok = find_errors(&p) && (!options->race || find_races_behind_once(&p)) &&
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
