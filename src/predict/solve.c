/* See solve.h. */
#include "predict/solve.h"

#include "predict/deadline.h"
#include "predict/moment.h"
#include "predict/search.h"

#include <assert.h>

typedef enum {
  WAY_VALUES,
  WAY_DELAY,
  WAY_NEED,
  WAY_OTHERS,
  WAY_LAST,
  WAY_FIRST,
  WAY_SEARCH,
  WAY_BLIND,
  WAY_OVER
} Way;

struct Solver {
  const Run *run;
  const SolveLimits *limits;
  VEC(Target) targets;
  Way way, found;
  OrderSearch *search;
  unsigned level;      /* of the next search */
  Window window;       /* that was set; end 0: none */
  bool shortened;      /* a search had only a part of what it should look at */
  bool undecided;      /* a search was given up */
  uint32_t end;        /* steps from here on are not looked at by delay and turns */
  uint64_t work;       /* but for that of `search` */
  VEC(uint64_t) given; /* hashes of the orders that came out */
};

enum {
  MOST_PASSES = 64,
  MOST_TURNS = 1 << 26, /* looks at threads */
  NEAR_STEPS = 1 << 16, /* that are always looked at */
  STATE_WORK = 80,      /* a state of the search, against a step that is looked at */
  MODEL_WORK = 20,      /* a step of its model */
};

static uint32_t wanted_position(const Solver *s, uint32_t thread) {
  for (uint32_t i = 0; i < s->targets.len; i++)
    if (s->targets.data[i].thread == thread) return s->targets.data[i].position;
  return UINT32_MAX;
}

/* ---- delay ------------------------------------------------------------------------ */

static bool arrived(const Solver *s, const Moment *state) {
  for (uint32_t i = 0; i < s->targets.len; i++)
    if (state->next[s->targets.data[i].thread] != s->targets.data[i].position)
      return false;
  return true;
}

static bool by_delay(Solver *s, bool blind, StepOrder *ret) {
  const Run *run = s->run;
  Moment state;
  moment_init(&state, run);
  state.blind = blind;
  bool there = arrived(s, &state), moved = true;
  for (unsigned pass = 0; !there && moved && pass < MOST_PASSES; pass++) {
    moved = false;
    s->work += s->end;
    if (deadline_over(s->limits->deadline)) break;
    for (uint32_t i = 0; i < s->end && !there; i++) {
      const Step *step = &run->steps.data[i];
      if (step->place != state.next[step->thread] ||
          step->place >= wanted_position(s, step->thread) || !moment_allows(&state, i))
        continue;
      moment_take(&state, i);
      vec_push(ret, i);
      moved = true;
      there = wanted_position(s, step->thread) != UINT32_MAX && arrived(s, &state);
    }
  }
  moment_free(&state);
  return there;
}

/* ---- need ------------------------------------------------------------------------- */

typedef struct {
  const Solver *s;
  uint32_t *length;   /* per thread: steps that are needed */
  VEC(uint32_t) work; /* steps whose needs are still to be looked at */
  uint32_t *last_taken,
      *last_written; /* per object: last acquisition, exclusive one; + 1 */
  bool hard_only;    /* what was merely so in this run does not count */
  uint32_t *seen;    /* per thread: sources that were looked at; NULL: none count */
  bool failed;
} Need;

static void need(Need *n, uint32_t thread, uint32_t length) {
  if (length > wanted_position(n->s, thread)) n->failed = true;
  while (!n->failed && n->length[thread] < length)
    vec_push(&n->work, n->s->run->threads.data[thread].steps.data[n->length[thread]++]);
}

static void need_step(Need *n, uint32_t step) {
  if (step == NO_STEP) return;
  const Step *s = &n->s->run->steps.data[step];
  need(n, s->thread, s->place + 1);
}

/* What a thread read before its step. */
static void need_sources(Need *n, const Step *s) {
  const SourceList *list = sources_of(n->s->limits->sources, s->thread);
  uint32_t *seen = &n->seen[s->thread];
  for (; list && *seen < list->len && list->data[*seen].position <= s->place; ++*seen) {
    const Source *source = &list->data[*seen];
    uint32_t all = n->s->run->threads.data[source->thread].steps.len;
    need(n, source->thread, source->steps < all ? source->steps : all);
  }
}

static void look_at(Need *n, uint32_t index) {
  const Run *run = n->s->run;
  const Step *s = &run->steps.data[index];
  assert(s->place < n->length[s->thread]);
  if (n->seen) need_sources(n, s);
  need_step(n, s->needs);
  if (!s->loose && !n->hard_only) need_step(n, s->matched);
  if (s->op == TRACE_BARRIER_EXIT && s->round != NO_STEP &&
      (!n->hard_only || run->objects.data[s->object].fixed))
    for (uint32_t i = 0; i < run->rounds.data[s->round].enters.len; i++)
      need_step(n, run->rounds.data[s->round].enters.data[i]);
  if (s->acquires) {
    if (n->last_taken[s->lock] < index + 1) n->last_taken[s->lock] = index + 1;
    if (!s->shared && n->last_written[s->lock] < index + 1)
      n->last_written[s->lock] = index + 1;
  }
}

/* Who holds a lock that is acquired later must have released it. */
static bool close_locks(Need *n) {
  const Run *run = n->s->run;
  bool changed = false;
  for (uint32_t t = 0; t < run->threads.len && !n->failed; t++) {
    if (!n->length[t]) continue;
    const LockSet *held =
        &run->lock_sets.data[run->threads.data[t].held.data[n->length[t]]];
    for (uint32_t i = 0; i < held->count; i++) {
      uint32_t later = held->shared[i] ? n->last_written[held->locks[i]]
                                       : n->last_taken[held->locks[i]];
      if (later <= held->steps[i] + 1) continue;
      const Step *acquire = &run->steps.data[held->steps[i]];
      assert(acquire->acquires && acquire->thread == t);
      if (acquire->partner == NO_STEP) {
        n->failed = true;
        break;
      }
      need_step(n, acquire->partner);
      changed = true;
      break; /* the set is another one now */
    }
  }
  return changed;
}

/* The smallest lengths; false when the situation cannot be had in the recorded order.
 * With `locks`, critical sections keep their order. */
static bool close_needs(Need *n, bool locks) {
  for (uint32_t i = 0; i < n->s->targets.len; i++)
    need(n, n->s->targets.data[i].thread, n->s->targets.data[i].position);
  do {
    while (n->work.len && !n->failed) look_at(n, vec_pop(&n->work));
  } while (!n->failed && locks && close_locks(n));
  return !n->failed;
}

static void need_init(Need *n, const Solver *s) {
  *n = (Need){.s = s};
  n->length = mem_alloc_zero((s->run->threads.len + 1) * sizeof *n->length);
  n->last_taken = mem_alloc_zero(s->run->objects.len * sizeof *n->last_taken);
  n->last_written = mem_alloc_zero(s->run->objects.len * sizeof *n->last_written);
}

static void need_free(Need *n) {
  mem_free(n->length);
  mem_free(n->last_taken);
  mem_free(n->last_written);
  mem_free(n->seen);
  vec_free(&n->work);
}

/* Whether the order is possible and leads to the situation. */
static bool check(const Solver *s, const StepOrder *order) {
  Moment state;
  bool ok = true;
  moment_init(&state, s->run);
  for (uint32_t i = 0; i < order->len && ok; i++) {
    const Step *step = &s->run->steps.data[order->data[i]];
    ok = step->place == state.next[step->thread] && moment_allows(&state, order->data[i]);
    if (ok) moment_take(&state, order->data[i]);
  }
  ok = ok && arrived(s, &state);
  moment_free(&state);
  return ok;
}

static bool by_need(Solver *s, bool values, StepOrder *ret) {
  Need n;
  need_init(&n, s);
  if (values) n.seen = mem_alloc_zero((s->run->threads.len + 1) * sizeof *n.seen);
  bool ok = close_needs(&n, true);
  uint32_t total = 0;
  for (uint32_t t = 0; t < s->run->threads.len; t++) total += n.length[t];
  for (uint32_t i = 0; ok && ret->len < total; i++) {
    assert(i < s->run->steps.len); /* the lengths count steps */
    const Step *step = &s->run->steps.data[i];
    if (step->place < n.length[step->thread]) vec_push(ret, i);
  }
  s->work += (ret->len ? *vec_last(ret) : 0) + 2 * (uint64_t)total;
  need_free(&n);
  return ok && check(s, ret);
}

/* ---- turns ------------------------------------------------------------------------ */

/* Which threads go first when several may; the smaller the earlier. */
static uint32_t rank_of(const Solver *s, Way way, uint32_t thread) {
  uint32_t target = 0;
  while (target < s->targets.len && s->targets.data[target].thread != thread) target++;
  bool other = target == s->targets.len;
  if (way == WAY_OTHERS) return other ? 0 : 1;
  if (other) return 1;
  return target == (way == WAY_FIRST ? 0 : s->targets.len - 1) ? 0 : 2;
}

/* The thread whose turn it is: of the best rank, and then the earliest of the run. */
static uint32_t next_turn(const Solver *s, const Moment *state, const uint32_t *ranks) {
  const Run *run = s->run;
  uint32_t best = NO_STEP;
  for (uint32_t t = 0; t < run->threads.len; t++) {
    uint32_t at = state->next[t];
    if (at >= run->threads.data[t].steps.len || at >= wanted_position(s, t)) continue;
    uint32_t step = run->threads.data[t].steps.data[at];
    if (step >= s->end) continue;
    if (best != NO_STEP) {
      uint32_t now = ranks[run->steps.data[best].thread];
      if (ranks[t] > now || (ranks[t] == now && step > best)) continue;
    }
    if (moment_allows(state, step)) best = step;
  }
  return best;
}

/* Some threads go as far as they can before others do: what was read under a lock in the
 * recorded order may be right only so. */
static bool by_turns(Solver *s, Way way, StepOrder *ret) {
  const Run *run = s->run;
  if ((uint64_t)s->end * run->threads.len > MOST_TURNS) return false;
  Moment state;
  uint32_t *ranks = mem_alloc_zero((run->threads.len + 1) * sizeof *ranks), step;
  for (uint32_t t = 0; t < run->threads.len; t++) ranks[t] = rank_of(s, way, t);
  moment_init(&state, run);
  while (!arrived(s, &state) && (step = next_turn(s, &state, ranks)) != NO_STEP) {
    moment_take(&state, step);
    vec_push(ret, step);
  }
  bool there = arrived(s, &state);
  s->work += (uint64_t)ret->len * run->threads.len + run->steps.len / 8;
  moment_free(&state);
  mem_free(ranks);
  return there;
}

/* ---- search ----------------------------------------------------------------------- */

/* How far each thread may go in the search. On the first level only what the situation
 * needs, and then to the end of what other threads hold there; on the second level other
 * threads go as far as they did: what they needed once (a post, a store) may come from
 * somebody else. */
static bool search_lengths(const Solver *s, unsigned level, uint32_t *length) {
  const Run *run = s->run;
  Need n;
  need_init(&n, s);
  n.hard_only = level > 0;
  bool ok = close_needs(&n, false);
  for (uint32_t t = 0; t < run->threads.len; t++) {
    const RunThread *thread = &run->threads.data[t];
    length[t] = level ? thread->steps.len : n.length[t];
    if (wanted_position(s, t) != UINT32_MAX) {
      length[t] = wanted_position(s, t);
      continue;
    }
    while (length[t] && length[t] < thread->steps.len &&
           run->lock_sets.data[thread->held.data[length[t]]].count)
      length[t]++;
  }
  need_free(&n);
  return ok;
}

/* What needs a step that is not there never happens. */
static void cut_lengths(const Run *run, uint32_t *length) {
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t i = 0; i < run->steps.len; i++) {
      const Step *step = &run->steps.data[i];
      if (step->needs == NO_STEP || step->place >= length[step->thread]) continue;
      const Step *needed = &run->steps.data[step->needs];
      if (needed->place < length[needed->thread]) continue;
      length[step->thread] = step->place;
      changed = true;
    }
  }
}

static void end_search(Solver *s) {
  if (s->search) s->work += order_search_states(s->search) * STATE_WORK;
  order_search_end(s->search);
  s->search = NULL;
}

/* The steps that may change places: so many before and behind the situation. What comes before
 * the window comes as recorded, and must not go beyond a target. */
static Window window_around(const Solver *s, uint32_t width) {
  const Run *run = s->run;
  uint32_t low = run->steps.len, high = 0;
  for (uint32_t i = 0; i < s->targets.len; i++) {
    const RunThread *t = &run->threads.data[s->targets.data[i].thread];
    uint32_t p = s->targets.data[i].position;
    if (p < t->steps.len && t->steps.data[p] < low) low = t->steps.data[p];
    if (p && t->steps.data[p - 1] >= high) high = t->steps.data[p - 1] + 1;
  }
  if (high < low) high = low;
  uint64_t end = (uint64_t)high + width;
  return (Window){low > width ? low - width : 0,
                  end < run->steps.len ? (uint32_t)end : run->steps.len};
}

/* Cuts what each thread does to the window; all that comes before it is there. */
static uint32_t cut_to_window(const Solver *s, Window window, uint32_t *length) {
  uint32_t threads = s->run->threads.len, total = 0;
  uint32_t *first = mem_alloc_zero((threads + 1) * sizeof *first);
  uint32_t *last = mem_alloc_zero((threads + 1) * sizeof *last);
  window_lengths(s->run, window.begin, first);
  window_lengths(s->run, window.end, last);
  for (uint32_t t = 0; t < threads; t++) {
    if (length[t] > last[t] && wanted_position(s, t) == UINT32_MAX) length[t] = last[t];
    if (length[t] < first[t]) length[t] = first[t];
    total += length[t] - first[t];
  }
  mem_free(first);
  mem_free(last);
  return total;
}

/* The window of the next search. */
static Window choose_window(Solver *s, uint64_t total) {
  enum { PART = 4 };
  uint32_t width = s->limits->window;
  if (s->window.end) return s->window;
  if (!width && total > s->limits->search_steps && s->targets.len) {
    width = s->limits->search_steps / PART;
    s->shortened = true;
  }
  return width && s->targets.len ? window_around(s, width)
                                 : (Window){0, s->run->steps.len};
}

static SolveAnswer begin_search(Solver *s, unsigned level) {
  uint32_t *length = mem_alloc_zero((s->run->threads.len + 1) * sizeof *length),
           total = 0;
  bool possible = search_lengths(s, level, length);
  if (possible) cut_lengths(s->run, length);
  for (uint32_t t = 0; t < s->run->threads.len; t++) total += length[t];
  Window window = choose_window(s, total);
  if (possible && (window.begin || window.end < s->run->steps.len))
    total = cut_to_window(s, window, length);
  end_search(s);
  s->work += (uint64_t)total * MODEL_WORK + s->run->steps.len;
  if (possible && total <= s->limits->search_steps)
    s->search = order_search_begin(s->run, length, window.begin,
                                   s->targets.len ? s->targets.data : NULL,
                                   s->targets.len, s->limits);
  mem_free(length);
  if (s->search) return SOLVE_FOUND;
  return possible ? SOLVE_UNDECIDED : SOLVE_NONE;
}

static SolveAnswer by_search(Solver *s, StepOrder *ret) {
  SolveAnswer answer = s->search ? order_search_next(s->search, ret) : SOLVE_NONE;
  while (answer == SOLVE_NONE && s->level < 2) {
    /* Without targets everybody goes to the end anyway. */
    if (!s->targets.len) s->level = 1;
    answer = begin_search(s, s->level++);
    if (answer == SOLVE_FOUND) answer = order_search_next(s->search, ret);
  }
  return answer;
}

/* ---- all of them ----------------------------------------------------------------- */

static uint64_t hash_order(const StepOrder *order) {
  uint64_t h = UINT64_C(0x9e3779b97f4a7c15) ^ order->len;
  for (uint32_t i = 0; i < order->len; i++) {
    h = (h ^ order->data[i]) * UINT64_C(0xff51afd7ed558ccd);
    h ^= h >> 32;
  }
  return h;
}

/* True when the order did not come out before. */
static bool is_new(Solver *s, const StepOrder *order) {
  uint64_t h = hash_order(order);
  for (uint32_t i = 0; i < s->given.len; i++)
    if (s->given.data[i] == h) return false;
  vec_push(&s->given, h);
  return true;
}

SolveAnswer solve_next(Solver *s, StepOrder *ret) {
  for (;;) {
    SolveAnswer answer = SOLVE_NONE;
    vec_clear(ret);
    s->found = s->way;
    switch (s->way) {
    case WAY_VALUES:
      if (s->limits->sources && by_need(s, true, ret)) answer = SOLVE_FOUND;
      s->way = WAY_DELAY;
      break;
    case WAY_DELAY:
      if (by_delay(s, false, ret)) answer = SOLVE_FOUND;
      s->way = WAY_NEED;
      break;
    case WAY_NEED:
      if (by_need(s, false, ret)) answer = SOLVE_FOUND;
      s->way = WAY_OTHERS;
      break;
    case WAY_OTHERS:
    case WAY_LAST:
    case WAY_FIRST:
      if (by_turns(s, s->way, ret)) answer = SOLVE_FOUND;
      s->way++;
      break;
    case WAY_SEARCH:
      answer = by_search(s, ret);
      if (answer == SOLVE_NONE && s->shortened) answer = SOLVE_UNDECIDED;
      if (answer != SOLVE_FOUND)
        s->way = s->targets.len && !s->limits->as_recorded ? WAY_BLIND : WAY_OVER;
      s->undecided |= answer == SOLVE_UNDECIDED;
      break;
    case WAY_BLIND:
      if (by_delay(s, true, ret)) answer = SOLVE_FOUND;
      s->way = WAY_OVER;
      break;
    case WAY_OVER:
      if (!s->undecided) return SOLVE_NONE;
      s->undecided = false;
      return SOLVE_UNDECIDED;
    }
    if (answer == SOLVE_FOUND && is_new(s, ret)) return answer;
  }
}

SolveAnswer solve_quick(Solver *s, StepOrder *ret) {
  vec_clear(ret);
  s->found = WAY_VALUES;
  if (s->limits->sources && by_need(s, true, ret)) return SOLVE_FOUND;
  if (s->limits->sources && !s->limits->brief) return SOLVE_NONE;
  vec_clear(ret);
  s->found = WAY_NEED;
  if (s->limits->brief && s->run->steps.len > NEAR_STEPS) {
    if (by_need(s, false, ret)) return SOLVE_FOUND;
    vec_clear(ret);
  }
  s->found = WAY_DELAY;
  return by_delay(s, false, ret) ? SOLVE_FOUND : SOLVE_NONE;
}

/* What solve_quick has to say when it is asked for replays. */
static Way quick_way(const Solver *s) {
  return s->limits->sources ? WAY_VALUES : WAY_DELAY;
}

bool solve_was_quick(const Solver *s) {
  return s->found == quick_way(s);
}

void solve_skip_quick(Solver *s) {
  s->way = quick_way(s) + 1;
}

void solve_only_search(Solver *s) {
  s->way = WAY_SEARCH;
}

uint64_t solve_work(const Solver *s) {
  return s->work + (s->search ? order_search_states(s->search) * STATE_WORK : 0);
}

/* Twice as far as the situation reaches. */
static uint32_t end_for(const Run *run, const Target *targets, uint32_t count) {
  uint64_t end = 0;
  for (uint32_t i = 0; i < count; i++) {
    const RunThread *t = &run->threads.data[targets[i].thread];
    uint32_t p = targets[i].position;
    uint32_t at = p ? t->steps.data[p - 1] + 1 : 0;
    if (at > end) end = at;
  }
  end = 2 * end + NEAR_STEPS;
  return count && end < run->steps.len ? (uint32_t)end : run->steps.len;
}

Solver *solve_begin(const Run *run, const Target *targets, uint32_t count,
                    const SolveLimits *limits) {
  Solver *s = mem_alloc_zero(sizeof *s);
  s->run = run;
  s->limits = limits;
  for (uint32_t i = 0; i < count; i++) vec_push(&s->targets, targets[i]);
  if (!count) s->way = WAY_SEARCH;
  s->end = end_for(run, targets, count);
  return s;
}

void solve_set_window(Solver *s, Window window) {
  s->window = window;
}

const char *solve_way(const Solver *s) {
  static const char *const names[] = {"values", "delay",  "need",  "turns", "turns",
                                      "turns",  "search", "blind", "blind"};
  return names[s->found];
}

void solve_end(Solver *s) {
  if (!s) return;
  end_search(s);
  vec_free(&s->targets);
  vec_free(&s->given);
  mem_free(s);
}
