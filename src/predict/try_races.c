/* Races: of candidates with the same places the most promising pair of accesses is asked
 * before any gets a second one, by the cheap ways before the dear ones, and by a short search
 * before a long one. */
#include "predict/predictor.h"

#include "predict/exchange.h"
#include "predict/once.h"
#include "predict/pairs.h"

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

/* Pairs of accesses of a candidate that are tried when that takes long already, or when whoever
 * comes did not meet: what one after the other leads elsewhere, more of the same places do as
 * well. */
enum { FEW_PAIRS = 2 };

typedef struct {
  Prediction x;
  bool any;       /* an order was found */
  bool told;      /* another race tells of it */
  bool met;       /* whoever comes was kept for it, in vain */
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
  bool ok = attempt_situation(p, &t->x, solver, which, &found, &answer);
  if (!found) t->x.pair = before;
  if (effort == ROUND_QUICK && found) t->quick |= bit;
  t->any |= found;
  if (!found) note_answer(p, pair, effort, answer);
  attempt_end(p, solver);
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

/* Work that is dealt out differently in every run follows no order; what two threads do may
 * still meet, whoever they are. Once for each candidate, when the first of its orders led
 * elsewhere. */
static bool try_meeting(Predictor *p, RaceTry *t, uint64_t key) {
  const Control *c = t->x.shown;
  if (t->met || p->skipping || is_done(p, t) || !c || c->outcome != CONTROL_DIVERGED ||
      map_get(&p->seen, key) || predictor_time_is_over(p))
    return true;
  Prediction met;
  t->met = true;
  map_put(&p->met, key, 1);
  bool ok = attempt_meeting(p, &t->x.pair, &met);
  met.tries += t->x.tries;
  if (met.state == PREDICT_REPLAYED || met.state == PREDICT_OPEN) {
    prediction_free(&t->x);
    t->x = met;
  } else {
    t->x.tries = met.tries;
    prediction_free(&met);
  }
  return ok;
}

/* Its k-th pair is not worth a try. A race that happened is an error without one. */
static bool is_enough(const Predictor *p, const RaceTry *t, uint32_t k) {
  bool late = predictor_is_late(p);
  bool enough = late || (k && predictor_is_enough_for_seen(p));
  if (enough && p->o->replay && p->is_seen) return true;
  if (p->skipping && t->met) return k || late;
  return k >= FEW_PAIRS && (late || t->met);
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
      if (is_enough(p, &tries[i], k)) continue;
      if (p->is_seen && effort != ROUND_QUICK && (k || effort == ROUND_DEEP)) continue;
      if (is_told(p, c)) {
        tries[i].told = true;
        tries[i].any = false;
        continue;
      }
      ok = try_pair(p, &tries[i], &c->pairs.data[k], effort, 1u << k) &&
           try_meeting(p, &tries[i], c->key);
    }
  p->is_seen = false;
  return ok;
}

/* Guesses: what does not show is not told. */
bool try_exchanges(Predictor *p) {
  enum { MOST_GUESSES = 32, FEW_GUESSES = 4 }; /* few when that took long already */
  RacesOptions options = {.deadline = p->over > 0 ? p->over : p->end,
                          .progress = p->o->progress};
  Exchanges pairs = {0};
  bool ok = true;
  if (predictor_time_is_over(p)) return true;
  exchange_find(p->run, &options, &pairs);
  progress_phase(p->o->progress, "items of work", pairs.len);
  for (uint32_t i = 0, tried = 0; ok && i < pairs.len && tried < MOST_GUESSES; i++) {
    uint64_t key = pairs_key(pairs.data[i].a.pc, pairs.data[i].b.pc);
    progress_step(p->o->progress, 1, NULL);
    if (map_get(&p->seen, key) || map_get(&p->met, key) || predictor_time_is_over(p) ||
        (tried >= FEW_GUESSES && predictor_is_late(p)))
      continue;
    Prediction x;
    tried++;
    ok = attempt_meeting(p, &pairs.data[i], &x);
    attempt_keep(p, &x, ok && x.state == PREDICT_REPLAYED);
  }
  vec_free(&pairs);
  return ok;
}

static bool try_candidates(Predictor *p, const Races *races) {
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
    tries[i].met = map_get(&p->met, races->candidates.data[i].key) != NULL;
    *known = 1;
  }
  for (Effort effort = ROUND_QUICK; ok && effort <= ROUND_DEEP; effort++)
    ok = try_round(p, races, tries, effort);
  for (uint32_t i = 0; i < count; i++) {
    if ((tries[i].x.state == PREDICT_REPLAYED && tries[i].x.shown) || tries[i].told)
      map_put(&p->met, races->candidates.data[i].key, 1);
    /* The program reads what it read and still goes another way: what decides about that
     * was not seen, and other runs may well lead there. */
    if (tries[i].x.state == PREDICT_DROPPED && tries[i].x.surprised)
      tries[i].x.state = PREDICT_OPEN;
    if (tries[i].any && tries[i].x.state != PREDICT_DROPPED)
      *race_reported(p, &tries[i].x.pair) = 1;
    attempt_keep(p, &tries[i].x, ok && tries[i].any);
  }
  mem_free(tries);
  return ok;
}

void try_races_begin(Predictor *p, Races *ret) {
  RacesOptions options = {.window = p->o->window,
                          .deadline = predictor_search_end(p),
                          .progress = p->o->progress};
  races_find(p->run, &options, ret);
  p->limits.sources = p->short_limits.sources = &ret->sources;
  p->strict = &ret->strict;
}

bool try_races(Predictor *p, const Races *races) {
  p->ret->stats.distant += races->distant;
  p->ret->stats.left_out += races->left_out;
  if (!p->ret->stats.thinned) p->ret->stats.thinned = races->thinned;
  p->ret->stats.uncompared += races->uncompared;
  p->ret->stats.races_cut |= races->cut;
  return try_candidates(p, races);
}

void try_races_end(Predictor *p, Races *races) {
  p->limits.sources = p->short_limits.sources = NULL;
  p->strict = NULL;
  races_free(races);
}

enum { MOST_SWAPS = 16, MOST_COPIED = 20000000 };

bool try_races_behind_once(Predictor *p) {
  const Run *recorded = p->run;
  OnceSwaps swaps = {0};
  bool ok = true;
  uint64_t size = recorded->trace->events.len + recorded->trace->access_count, copied = 0;
  once_find(recorded, &swaps);
  for (uint32_t i = 0; ok && i < swaps.len; i++) {
    Trace trace = {0};
    Run run;
    copied += size;
    if (i >= MOST_SWAPS || copied > MOST_COPIED || predictor_time_is_over(p)) {
      p->ret->stats.unswapped += swaps.len - i;
      break;
    }
    if (!once_swap(recorded, &swaps.data[i], &p->limits, &trace)) continue;
    run_init(&run, &trace, p->o->progress);
    predictor_set_run(p, &run);
    Races races;
    try_races_begin(p, &races);
    ok = try_races(p, &races);
    try_races_end(p, &races);
    run_free(&run);
    trace_free(&trace);
  }
  predictor_set_run(p, recorded);
  vec_free(&swaps);
  return ok;
}
