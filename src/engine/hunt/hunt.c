/* Directed random runs. See hunt.h.
 *
 * A run takes one step at a time, by whom is said by schedule.h. The generator is seeded by the number of the run,
 * so a hunt does the same every time, up to the moment when its time is over. */
#include "engine/hunt/hunt.h"

#include "base/clock.h"
#include "base/map.h"
#include "base/mem.h"
#include "base/str.h"
#include "engine/hunt/schedule.h"
#include "model/exec/clocks.h"

#include <string.h>

enum {
  DEFAULT_STEPS = 200000,
  LONG_EVERY = 16, /* runs: one of them goes on … */
  LONG_TIMES = 16, /* … so much longer, for errors behind long loops */
  POLL_EVERY = 32, /* steps: with a thousand threads one takes a millisecond */
  PATIENCE = 12,   /* runs that look for a plainer witness of a pair that is unordered */
};

/* What is known of a questioned pair. */
enum { PAIR_OPEN = 1, PAIR_FOUND = 2 };

typedef struct {
  const HuntRequest *request;
  WitnessVec *found;
  Map edges; /* questioned edge to 1 */
  Map pairs; /* a << 32 | b to PAIR_* */
  uint32_t open_pairs;
  Clocks *clocks;
  WitnessVec unordered; /* for pairs that are not found next to each other */
  Map since;            /* pair to the run that found it unordered, + 1 */
  uint64_t run;
  VEC(Witness) seen; /* in this step */
  HuntValues constants;
  Map asserted; /* assertion edges found */
  bool deadlock_found;
  double deadline;
  bool
      hurries; /* everything that would be news was found, and the deadline has been moved */
  /* the run */
  uint64_t seed;
  Schedule schedule;
  HuntSteps steps;
  HuntValues values;
  uint64_t looked_at
      [SCHEDULE_THREADS];     /* the last step before which it stood at such an edge */
  VEC(ExecChoice) questioned; /* choices that a questioned pair has, in this step */
} Hunter;

static uint64_t draw(Hunter *h) {
  return schedule_draw(&h->schedule);
}

static uint64_t pair_key(EdgeId a, EdgeId b) {
  return a < b ? (uint64_t)a << 32 | b : (uint64_t)b << 32 | a;
}

/* ---- values and output ---- */

/* Small values are what programs branch on, and the constants they compare with, or their
 * neighbours; now and then anything. In every fourth run all are small: one value in many that a
 * program refuses ends the run. */
static void choose_value(void *user, EdgeId edge, uint32_t bits, uint64_t *words) {
  (void)edge;
  Hunter *h = user;
  uint32_t n = (bits + 63) / 64;
  uint64_t kind = draw(h) % (h->seed % 4 == 1 ? 6 : 10);
  uint64_t value = kind < 2   ? 0
                   : kind < 4 ? 1
                   : kind < 6 ? draw(h) % 16
                   : kind < 9 && h->constants.len
                       ? h->constants.data[draw(h) % h->constants.len] + draw(h) % 3 - 1
                       : draw(h);
  for (uint32_t i = 0; i < n; i++) {
    words[i] = i ? 0 : value;
    vec_push(&h->values, words[i]);
  }
}

static void drop_output(void *user, int fd, const void *bytes, size_t n) {
  (void)user, (void)fd, (void)bytes, (void)n;
}

/* ---- findings ---- */

static bool is_as_glibc(const Hunter *h, uint64_t seed) {
  return h->request->glibc && seed / 4 % 2; /* whatever else the run's number says */
}

/* The witness with the steps and values up to here, if it stands the check. */
static bool complete(Hunter *h, Witness *w, uint64_t seed) {
  w->seed = seed;
  w->unlock_any = h->request->unlock_any;
  w->glibc = is_as_glibc(h, seed);
  w->arguments = witness_argument_count(h->request->program, seed);
  w->input = witness_input(seed);
  if (h->steps.len)
    memcpy(vec_extend(&w->steps, h->steps.len), h->steps.data,
           h->steps.len * sizeof *h->steps.data);
  if (h->values.len)
    memcpy(vec_extend(&w->values, h->values.len), h->values.data,
           h->values.len * sizeof *h->values.data);
  if (witness_check(h->request->program, w)) return true;
  witness_free(w);
  return false;
}

static void keep(Hunter *h, Witness w, uint64_t seed) {
  if (complete(h, &w, seed)) vec_push(h->found, w);
}

/* ---- unordered accesses ---- */

static bool is_questioned(void *user, EdgeId edge) {
  return map_get(&((Hunter *)user)->edges, edge) != NULL;
}

static void see_race(void *user, const ClockAccess *before, const ExecEvent *now) {
  Hunter *h = user;
  uint64_t key = pair_key(before->edge, now->edge);
  uint32_t step = h->steps.len - 1;
  if (before->step >= step || map_find(&h->pairs, key, 0) != PAIR_OPEN ||
      map_get(&h->since, key))
    return;
  map_put(&h->since, key, h->run + 1);
  vec_push(&h->seen, ((Witness){.kind = WITNESS_RACE,
                                .threads = {before->thread, now->thread},
                                .edges = {before->edge, now->edge},
                                .address = before->address,
                                .unordered = true,
                                .at = {before->step, step},
                                .hidden = now->hidden}));
}

static void watch(void *user, const ExecEvent *event) {
  Hunter *h = user;
  if (h->steps.len) clocks_event(h->clocks, event, h->steps.len - 1);
}

static bool is_over(const Hunter *h) {
  const HuntRequest *r = h->request;
  return (r->stop && *r->stop) || clock_now() > h->deadline;
}

/* What the last step has shown is put aside: a schedule that brings both accesses next to
 * each other says more. Each costs a run from the beginning, so the clock is looked at. */
static void put_aside(Hunter *h, uint64_t seed) {
  for (uint32_t i = 0; i < h->seen.len && !is_over(h); i++) {
    Witness *w = &h->seen.data[i];
    if (complete(h, w, seed)) vec_push(&h->unordered, *w);
  }
  vec_clear(&h->seen);
}

/* Takes those whose time has come, or all. */
static void take_unordered(Hunter *h, bool all) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < h->unordered.len; i++) {
    Witness *w = &h->unordered.data[i];
    uint64_t key = pair_key(w->edges[0], w->edges[1]);
    if (map_find(&h->pairs, key, 0) != PAIR_OPEN) {
      witness_free(w);
    } else if (all || h->run >= map_find(&h->since, key, 0) + PATIENCE) {
      map_put(&h->pairs, key, PAIR_FOUND);
      h->open_pairs--;
      vec_push(h->found, *w);
    } else {
      h->unordered.data[kept++] = *w;
    }
  }
  h->unordered.len = kept;
}

/* ---- accesses that are both next ---- */

/* Both are next: do they conflict, and is their pair open? */
static void look_at_pair(Hunter *h, Exec *exec, const ExecChoice *one,
                         const ExecChoice *other, uint64_t seed) {
  uint64_t key = pair_key(one->edge, other->edge);
  if (one->thread == other->thread || map_find(&h->pairs, key, 0) != PAIR_OPEN) return;
  ExecAccess x[EXEC_ACCESS_MAX], y[EXEC_ACCESS_MAX];
  size_t a = exec_next_access(exec, one->thread, one->edge, x);
  size_t b = exec_next_access(exec, other->thread, other->edge, y);
  for (size_t s = 0; s < a; s++)
    for (size_t u = 0; u < b; u++) {
      bool overlap = x[s].address < y[u].address + y[u].size &&
                     y[u].address < x[s].address + x[s].size;
      bool conflict = ((x[s].kind | y[u].kind) & ACCESS_WRITE) &&
                      !(x[s].kind & y[u].kind & ACCESS_ATOMIC);
      if (!overlap || !conflict || map_find(&h->pairs, key, 0) != PAIR_OPEN) continue;
      map_put(&h->pairs, key, PAIR_FOUND);
      h->open_pairs--;
      keep(
          h,
          (Witness){.kind = WITNESS_RACE,
                    .threads = {one->thread, other->thread},
                    .edges = {one->edge, other->edge},
                    .address = x[s].address > y[u].address ? x[s].address : y[u].address},
          seed);
    }
}

/* What a thread accesses next depends on its own locals: as long as it stands still, it is
 * the same. Only a compare-and-exchange writes or not by what is in memory. */
static bool is_new(Hunter *h, const ExecChoice *c, uint64_t step) {
  bool was_there = c->thread < SCHEDULE_THREADS && h->looked_at[c->thread] == step - 1 &&
                   h->steps.data[h->steps.len - 1].thread != c->thread;
  return !was_there || program_edge(h->request->program, c->edge)->op == OP_CMPXCHG;
}

/* Do two threads stand before conflicting accesses of an open pair? With many threads only
 * those that came to their edge just now are compared with the others. */
static void look_for_race(Hunter *h, Exec *exec, const ExecChoice *choices, size_t n,
                          uint64_t step, uint64_t seed) {
  vec_clear(&h->questioned);
  for (size_t i = 0; i < n; i++)
    if (choices[i].kind == CHOICE_STEP && map_get(&h->edges, choices[i].edge))
      vec_push(&h->questioned, choices[i]);
  for (uint32_t i = 0; i < h->questioned.len; i++) {
    const ExecChoice *c = &h->questioned.data[i];
    if (is_new(h, c, step))
      for (uint32_t k = 0; k < h->questioned.len; k++)
        look_at_pair(h, exec, k < i ? &h->questioned.data[k] : c,
                     k < i ? c : &h->questioned.data[k], seed);
  }
  for (uint32_t i = 0; i < h->questioned.len; i++)
    if (h->questioned.data[i].thread < SCHEDULE_THREADS)
      h->looked_at[h->questioned.data[i].thread] = step;
}

/* ---- runs ---- */

/* Threads that wait for each other are a deadlock, whatever the others go on doing. It comes about
 * by a step behind which its thread waits or has ended. */
static void look_for_deadlock(Hunter *h, Exec *exec, uint32_t thread, uint64_t seed) {
  if (!h->request->deadlocks || h->deadlock_found ||
      exec_thread_state(exec, thread) == THREAD_READY || !witness_is_stuck(exec, NULL))
    return;
  h->deadlock_found = true;
  const ExecResult *end = exec_result(exec);
  keep(h,
       (Witness){.kind = WITNESS_DEADLOCK,
                 .edge = end->edge,
                 .text = str_dup(end->text ? end->text : "")},
       seed);
}

static uint64_t step_limit(const Hunter *h, uint64_t seed) {
  uint64_t limit = h->request->steps_per_run ? h->request->steps_per_run : DEFAULT_STEPS;
  return seed % LONG_EVERY == LONG_EVERY - 1 ? limit * LONG_TIMES : limit;
}

static void run_once(Hunter *h, uint64_t seed) {
  const HuntRequest *r = h->request;
  h->seed = seed;
  schedule_begin(&h->schedule, seed);
  vec_clear(&h->steps);
  vec_clear(&h->values);
  memset(h->looked_at, 0, sizeof h->looked_at);
  ExecOptions options = {.seed = seed,
                         .argc = 1 + (int)witness_argument_count(r->program, seed),
                         .argv = witness_arguments(),
                         .stepwise = true,
                         .spurious = witness_wakes(seed),
                         .refusals = witness_refuses(seed),
                         .isolated = true,
                         .input = witness_input(seed),
                         .havoc = choose_value,
                         .output = drop_output,
                         .unlock_any = r->unlock_any,
                         .glibc = is_as_glibc(h, seed),
                         .watch = r->races ? watch : NULL,
                         .user = h};
  clocks_clear(h->clocks);
  Exec *exec = exec_new(r->program, &options);
  uint64_t limit = step_limit(h, seed);
  for (uint64_t step = 2; step < limit; step++) {
    const ExecChoice *choices;
    size_t n = exec_choices(exec, &choices);
    if (!n) break;
    if (r->races && n > 1) look_for_race(h, exec, choices, n, step, seed);
    size_t i = schedule_pick(&h->schedule, choices, n, step);
    HuntStep taken = {choices[i].thread, choices[i].edge, choices[i].kind,
                      choices[i].waiter};
    vec_push(&h->steps, taken);
    bool goes_on = exec_step(exec, i);
    put_aside(h, seed);
    look_for_deadlock(h, exec, taken.thread, seed);
    if (!goes_on) break;
    if (step % POLL_EVERY == 0 && is_over(h)) break;
  }
  const ExecResult *end = exec_result(exec);
  if (r->asserts && end->end == EXEC_ASSERTION && !map_get(&h->asserted, end->edge)) {
    map_put(&h->asserted, end->edge, 1);
    keep(h, (Witness){.kind = WITNESS_ASSERT, .edge = end->edge}, seed);
  }
  /* who ignores that a thread could not be created joins none, but that is another matter */
  if (r->ret_misuse && !r->ret_misuse->edge && end->misuse && !witness_refuses(seed))
    *r->ret_misuse = (Misuse){end->edge, end->misuse};
  exec_free(exec);
}

static bool has_found(const Hunter *h, WitnessKind kind) {
  for (uint32_t i = 0; i < h->found->len; i++)
    if (h->found->data[i].kind == kind) return true;
  return kind == WITNESS_RACE && h->unordered.len > 0;
}

/* The first error of a kind is news; further ones get less time. */
static void hurry(Hunter *h) {
  bool lacks = false;
  for (int kind = WITNESS_RACE; kind <= WITNESS_ASSERT; kind++) {
    if (!h->request->lacks[kind]) continue;
    if (!has_found(h, (WitnessKind)kind)) return;
    lacks = true;
  }
  double end = clock_now() + h->request->extra;
  if (lacks && !h->hurries && end < h->deadline) h->deadline = end;
  h->hurries = lacks;
}

void hunt(const HuntRequest *request, WitnessVec *ret_witnesses) {
  Hunter h = {.request = request,
              .found = ret_witnesses,
              .deadline = clock_now() + request->seconds};
  h.schedule = (Schedule){.program = request->program,
                          .questioned = &h.edges,
                          .deadlocks = request->deadlocks};
  h.clocks = clocks_new(is_questioned, see_race, &h);
  hunt_constants(request->program, &h.constants);
  for (uint32_t i = 0; i < request->pair_count; i++) {
    map_put(&h.edges, request->pairs[i].a, 1);
    map_put(&h.edges, request->pairs[i].b, 1);
    uint64_t key = pair_key(request->pairs[i].a, request->pairs[i].b);
    if (!map_get(&h.pairs, key)) {
      map_put(&h.pairs, key, PAIR_OPEN);
      h.open_pairs++;
    }
  }
  if (request->program->main)
    for (uint64_t n = 0; (!request->run_count || n < request->run_count) && !is_over(&h);
         n++) {
      bool wants = (request->races && h.open_pairs) ||
                   (request->deadlocks && !h.deadlock_found) || request->asserts;
      if (!wants) break;
      h.run = n;
      run_once(&h, request->first_run + n);
      take_unordered(&h, false);
      hurry(&h);
    }
  take_unordered(&h, true);
  clocks_free(h.clocks);
  vec_free(&h.seen);
  vec_free(&h.constants);
  vec_free(&h.questioned);
  vec_free(&h.unordered);
  map_free(&h.since);
  map_free(&h.edges);
  map_free(&h.pairs);
  map_free(&h.asserted);
  vec_free(&h.steps);
  vec_free(&h.values);
}
