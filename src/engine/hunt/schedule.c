/* See schedule.h. */
#include "engine/hunt/schedule.h"

#include "engine/hunt/hunt.h"
#include "engine/hunt/ranks.h"

#include <assert.h>
#include <string.h>

uint64_t schedule_draw(Schedule *s) {
  s->random ^= s->random << 13;
  s->random ^= s->random >> 7;
  s->random ^= s->random << 17;
  return s->random;
}

/* Three runs of sixteen, none of which wakes threads or refuses anything: a run of turns has
 * enough that must come together. */
static bool takes_turns(uint64_t seed) {
  return seed % 8 == 4 || seed % 16 == 9;
}

/* Three more; they do not, either. */
static bool goes_by_ranks(uint64_t seed) {
  return seed % 16 == 5 || seed % 16 == 8 || seed % 16 == 13;
}

/* One thread or two of a run by turns stop, soon or late. Often it is one of the first: main, which
 * looks at what the others did. */
static void draw_stops(Schedule *s) {
  for (uint32_t t = 0; t < SCHEDULE_THREADS; t++) s->stops_after[t] = UINT32_MAX;
  for (uint64_t n = 1 + schedule_draw(s) % 2; n > 0; n--) {
    uint64_t many = UINT64_C(2) << schedule_draw(s) % 3;
    uint64_t thread = 1 + schedule_draw(s) % many;
    assert(thread < SCHEDULE_THREADS);
    uint64_t magnitude = schedule_draw(s) % 6;
    s->stops_after[thread] = (uint32_t)(schedule_draw(s) % (UINT64_C(1) << magnitude));
  }
}

void schedule_begin(Schedule *s, uint64_t seed) {
  Schedule fresh = {.program = s->program,
                    .questioned = s->questioned,
                    .deadlocks = s->deadlocks,
                    .seed = seed,
                    .random = (seed + 1) * 0x9e3779b97f4a7c15u,
                    .by_turns = takes_turns(seed),
                    .by_ranks = goes_by_ranks(seed)};
  *s = fresh;
  if (s->by_ranks) ranks_begin(s);
  if (!s->by_turns) return;
  s->by_stores = schedule_draw(s) % 2;
  draw_stops(s);
}

/* ---- bursts ---- */

static bool is_held(const Schedule *s, uint32_t thread, uint64_t step) {
  return thread < SCHEDULE_THREADS && s->held_until[thread] > step;
}

static bool is_free(const Schedule *s, const ExecChoice *c, uint64_t step, bool wake) {
  return !is_held(s, c->thread, step) && (wake || c->kind != CHOICE_SPURIOUS);
}

/* In every other run threads are held before they lock, so that many come to hold one lock
 * and want another. */
static bool is_before_lock(const Schedule *s, const ExecChoice *c) {
  return s->deadlocks && s->seed % 2 && program_edge(s->program, c->edge)->op == OP_LOCK;
}

/* Holds a thread that has just come to a questioned edge, usually. */
static void consider_holding(Schedule *s, const ExecChoice *c, uint64_t step) {
  if (c->thread >= SCHEDULE_THREADS || c->kind != CHOICE_STEP || s->held_until[c->thread])
    return;
  if (map_get(s->questioned, c->edge))
    s->held_until[c->thread] =
        schedule_draw(s) % 4 ? step + 20 + schedule_draw(s) % 4000 : 1;
  else if (is_before_lock(s, c))
    s->held_until[c->thread] =
        schedule_draw(s) % 4 ? step + 20 + schedule_draw(s) % 200 : 1;
}

static size_t pick_burst(Schedule *s, const ExecChoice *choices, size_t n,
                         uint64_t step) {
  for (size_t i = 0; i < n; i++) consider_holding(s, &choices[i], step);
  /* more often, and threads that wait would do little but wake up */
  bool wake = witness_wakes(s->seed) && schedule_draw(s) % 8 == 0;
  size_t free_count = 0;
  for (size_t i = 0; i < n; i++) free_count += is_free(s, &choices[i], step, wake);
  if (free_count && s->burst_left && !is_held(s, s->burst_thread, step))
    for (size_t i = 0; i < n; i++)
      if (choices[i].thread == s->burst_thread && choices[i].kind == CHOICE_STEP) {
        s->burst_left--;
        return i;
      }
  size_t wanted = schedule_draw(s) % (free_count ? free_count : n);
  for (size_t i = 0; i < n; i++) {
    if (free_count && !is_free(s, &choices[i], step, wake)) continue;
    /* time passes only when it must: a timed wait that ends early is an odd schedule */
    if (wanted-- == 0) {
      s->burst_thread = choices[i].thread;
      s->burst_left = schedule_draw(s) % 3 ? (uint32_t)(schedule_draw(s) % 12) : 0;
      return i;
    }
  }
  return 0;
}

/* ---- turns ---- */

enum {
  TURN_STEPS = 100, /* a turn ends behind so many without a change: a loop that waits */
  IDLE_TURNS = 8, /* so many of these, one after the other, wait for those that stopped */
};

bool schedule_is_seen(const Edge *e) {
  return op_has(e->op, (OpTrait)(OP_ORDERED | OP_ACQUIRES | OP_RELEASES));
}

bool schedule_is_change(const Edge *e, bool by_stores) {
  bool writes = e->op == OP_STORE || e->op == OP_RMW || e->op == OP_CMPXCHG;
  return (op_has(e->op, OP_RELEASES) && e->op != OP_CREATE) ||
         (writes && (e->order || by_stores));
}

static bool has_stopped(const Schedule *s, uint32_t thread) {
  return thread < SCHEDULE_THREADS && s->stops_after[thread] == 0;
}

/* A new thread: how long its turns are. */
static void meet(Schedule *s, uint32_t thread) {
  if (thread >= SCHEDULE_THREADS || s->length[thread]) return;
  s->length[thread] = schedule_draw(s) % 4 ? 1 : 1 + (uint32_t)(schedule_draw(s) % 3);
}

/* Takes one of the thread's steps and counts it. */
static size_t take_step(Schedule *s, const ExecChoice *choices, size_t first, size_t n) {
  size_t count = 0;
  while (first + count < n && choices[first + count].thread == choices[first].thread &&
         choices[first + count].kind == CHOICE_STEP)
    count++;
  const ExecChoice *c = &choices[first];
  if (c->thread != s->turn) {
    s->turn = c->thread;
    s->turn_left = c->thread < SCHEDULE_THREADS ? s->length[c->thread] : 1;
    s->turn_steps = TURN_STEPS;
  }
  assert(count > 0 && s->turn_steps > 0 && s->turn_left > 0);
  const Edge *e = program_edge(s->program, c->edge);
  s->turn_steps--;
  if (schedule_is_change(e, s->by_stores)) {
    s->turn_left--;
    s->idle_turns = 0;
  } else if (!s->turn_steps) {
    s->idle_turns++;
  }
  if (c->thread < SCHEDULE_THREADS && schedule_is_seen(e) && s->stops_after[c->thread] &&
      s->stops_after[c->thread] != UINT32_MAX)
    s->stops_after[c->thread]--;
  return first + schedule_draw(s) % count;
}

/* The first step of the thread that comes next, or `n`: the one whose turn it is, or else the
 * one with the next number. */
static size_t next_in_turn(const Schedule *s, const ExecChoice *choices, size_t n,
                           bool stopped) {
  bool over = !s->turn_left || !s->turn_steps;
  size_t least = n, behind = n;
  for (size_t i = n; i-- > 0;) {
    uint32_t thread = choices[i].thread;
    if (choices[i].kind != CHOICE_STEP || has_stopped(s, thread) != stopped) continue;
    least = i;
    if (over ? thread > s->turn : thread >= s->turn) behind = i;
  }
  return behind < n ? behind : least;
}

static size_t pick_turn(Schedule *s, const ExecChoice *choices, size_t n) {
  for (size_t i = 0; i < n; i++) meet(s, choices[i].thread);
  if (s->idle_turns >= IDLE_TURNS) {
    for (uint32_t t = 0; t < SCHEDULE_THREADS; t++)
      if (!s->stops_after[t]) s->stops_after[t] = UINT32_MAX;
    s->idle_turns = 0;
  }
  size_t i = next_in_turn(s, choices, n, false);
  if (i == n) i = next_in_turn(s, choices, n, true);
  if (i == n) return schedule_draw(s) % n; /* time passes, or a wait ends */
  if (!s->turn_left || !s->turn_steps) s->turn = 0;
  return take_step(s, choices, i, n);
}

size_t schedule_pick(Schedule *s, const ExecChoice *choices, size_t n, uint64_t step) {
  size_t i = s->by_ranks   ? ranks_pick(s, choices, n)
             : s->by_turns ? pick_turn(s, choices, n)
                           : pick_burst(s, choices, n, step);
  assert(i < n);
  if (choices[i].thread < SCHEDULE_THREADS) s->held_until[choices[i].thread] = 0;
  return i;
}
