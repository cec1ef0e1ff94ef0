/* Runs along the steps of an engine that knows little about data. See hunt.h.
 *
 * A thread runs until it stands before the edge that its next step names, and takes it. A
 * step that has to wait is passed over: the threads it waits for have steps of their own.
 * A thread that comes to another edge of the plan first went astray: the round is over.
 * The next one keeps the values that led as far as any round has come, or some of them (a
 * value may turn out wrong much later than it was drawn), and draws the rest anew. What
 * comes out is believed after witness_check. */
#include "engine/hunt/hunt.h"

#include "base/clock.h"
#include "base/map.h"
#include "base/mem.h"

#include <string.h>

enum { ROUNDS = 400, MOST_STEPS = 100000, MOST_ON_THE_WAY = 5000 };

typedef struct {
  const Guide *guide;
  Exec *exec;
  HuntSteps steps;
  HuntValues values;
  HuntValues kept; /* values that led as far as `reached` */
  uint32_t keep;   /* so many of them in this round */
  uint32_t reached;
  Map planned; /* edges of the steps */
  uint64_t random;
  uint32_t crossed; /* not 0: from this step on the two threads have changed parts */
} Follower;

static uint64_t draw(Follower *f) {
  f->random ^= f->random << 13;
  f->random ^= f->random >> 7;
  f->random ^= f->random << 17;
  return f->random;
}

/* What is kept from earlier rounds; then small numbers. */
static void choose_value(void *user, EdgeId edge, uint32_t bits, uint64_t *words) {
  (void)edge;
  Follower *f = user;
  uint64_t value = draw(f) % 4 ? draw(f) % 2 : draw(f) % 8;
  for (uint32_t i = 0; i < (bits + 63) / 64; i++) {
    words[i] = i ? 0 : value;
    if (f->values.len < f->keep) words[i] = f->kept.data[f->values.len];
    vec_push(&f->values, words[i]);
  }
}

static void drop_output(void *user, int fd, const void *bytes, size_t n) {
  (void)user, (void)fd, (void)bytes, (void)n;
}

/* The thread's choice that takes `edge`, or any step of it if that is 0; n: there is
 * none. */
static size_t choice_of(const ExecChoice *choices, size_t n, uint32_t thread,
                        EdgeId edge) {
  for (size_t i = 0; i < n; i++)
    if (choices[i].thread == thread && choices[i].kind == CHOICE_STEP &&
        (!edge || choices[i].edge == edge))
      return i;
  return n;
}

/* Its end of a wait for a condition without a signal, where the round has that. */
static size_t waking_of(const ExecChoice *choices, size_t n, uint32_t thread) {
  size_t i = 0;
  while (i < n && (choices[i].thread != thread || choices[i].kind != CHOICE_SPURIOUS))
    i++;
  return i;
}

static bool take(Follower *f, const ExecChoice *choices, size_t i) {
  HuntStep step = {choices[i].thread, choices[i].edge, choices[i].kind,
                   choices[i].waiter};
  vec_push(&f->steps, step);
  return exec_step(f->exec, i);
}

/* The thread's next step is the rest of its last one: it was let through a barrier. */
static bool goes_on(const Follower *f, uint32_t thread, EdgeId edge) {
  uint32_t i = f->steps.len;
  while (i && f->steps.data[i - 1].thread != thread) i--;
  return i && f->steps.data[i - 1].edge == edge;
}

/* Runs the thread up to the edge. False: it cannot come there now, or went astray. */
static bool run_to(Follower *f, uint32_t thread, EdgeId edge) {
  const volatile int *stop = f->guide->stop;
  for (int i = 0; i < MOST_ON_THE_WAY && f->steps.len < MOST_STEPS; i++) {
    const ExecChoice *choices;
    size_t n = exec_choices(f->exec, &choices);
    if (choice_of(choices, n, thread, edge) < n) return true;
    size_t any = choice_of(choices, n, thread, 0);
    if (any >= n) any = waking_of(choices, n, thread);
    if (any >= n || (stop && *stop)) return false;
    if (map_get(&f->planned, choices[any].edge) && !goes_on(f, thread, choices[any].edge))
      return false;
    if (!take(f, choices, any)) return false;
  }
  return false;
}

static bool stands_before(Follower *f, uint32_t thread, EdgeId edge) {
  EdgeId next[8];
  size_t n = exec_next_edges(f->exec, thread, next, 8);
  for (size_t i = 0; i < n && i < 8; i++)
    if (next[i] == edge) return true;
  return false;
}

static bool follow_step(Follower *f, const GuideStep *step) {
  uint32_t thread = step->thread + 1;
  const ExecChoice *choices;
  if (thread > exec_thread_count(f->exec)) return false;
  bool there = stands_before(f, thread, step->edge);
  if (!there && !run_to(f, thread, step->edge))
    return stands_before(f, thread, step->edge); /* it must wait: others will free it */
  size_t n = exec_choices(f->exec, &choices);
  size_t i = choice_of(choices, n, thread, step->edge);
  if (i < n) take(f, choices, i);
  return true;
}

/* The round came as far as `reached`: what it drew up to there is worth keeping. */
static void note_progress(Follower *f, uint32_t reached) {
  if (reached < f->reached) return;
  f->keep = f->values.len; /* from here on values are drawn */
  f->reached = reached;
  vec_clear(&f->kept);
  if (f->values.len)
    memcpy(vec_extend(&f->kept, f->values.len), f->values.data,
           f->values.len * sizeof *f->values.data);
}

/* The net may have let another thread be the special one of a barrier than the machine does. So
 * now and then the two that are to race change parts, from the last barrier on. */
static EdgeId edge_of(const Follower *f, int i) {
  return f->guide->edges[f->crossed ? 1 - i : i];
}

static GuideStep step_of(const Follower *f, uint32_t i) {
  const Guide *g = f->guide;
  GuideStep step = g->steps[i];
  if (!f->crossed || i < f->crossed) return step;
  if (step.thread == g->threads[0])
    step.thread = g->threads[1];
  else if (step.thread == g->threads[1])
    step.thread = g->threads[0];
  return step;
}

/* The step behind the last barrier; 0: there is none. */
static uint32_t last_barrier(const Guide *g) {
  uint32_t i = g->step_count;
  while (i && program_edge(g->program, g->steps[i - 1].edge)->op != OP_BARRIER_WAIT) i--;
  return i;
}

static bool meet(Follower *f, uint64_t *ret_address) {
  ExecAccess x[EXEC_ACCESS_MAX], y[EXEC_ACCESS_MAX];
  const Guide *g = f->guide;
  size_t n = exec_next_access(f->exec, g->threads[0] + 1, edge_of(f, 0), x);
  size_t m = exec_next_access(f->exec, g->threads[1] + 1, edge_of(f, 1), y);
  for (size_t i = 0; i < n; i++)
    for (size_t k = 0; k < m; k++) {
      bool overlap = x[i].address < y[k].address + y[k].size &&
                     y[k].address < x[i].address + x[i].size;
      bool conflict = ((x[i].kind | y[k].kind) & ACCESS_WRITE) &&
                      !(x[i].kind & y[k].kind & ACCESS_ATOMIC);
      if (!overlap || !conflict) continue;
      *ret_address = x[i].address > y[k].address ? x[i].address : y[k].address;
      return true;
    }
  return false;
}

static bool follow(Follower *f, uint64_t seed, Witness *ret_witness) {
  const Guide *g = f->guide;
  Witness w = {.kind = WITNESS_RACE,
               .seed = seed,
               .input = witness_input(seed),
               .unlock_any = g->unlock_any,
               .arguments = witness_argument_count(g->program, seed),
               .threads = {g->threads[0] + 1, g->threads[1] + 1},
               .edges = {edge_of(f, 0), edge_of(f, 1)}};
  uint32_t reached = 0;
  for (; reached < g->step_count; reached++) {
    GuideStep step = step_of(f, reached);
    if (!follow_step(f, &step)) return false;
    note_progress(f, reached + 1);
  }
  for (int i = 0; i < 2; i++) {
    if (w.threads[i] > exec_thread_count(f->exec) || !run_to(f, w.threads[i], w.edges[i]))
      return false;
    note_progress(f, ++reached);
  }
  if (!meet(f, &w.address)) return false;
  if (f->steps.len)
    memcpy(vec_extend(&w.steps, f->steps.len), f->steps.data,
           f->steps.len * sizeof *f->steps.data);
  if (f->values.len)
    memcpy(vec_extend(&w.values, f->values.len), f->values.data,
           f->values.len * sizeof *f->values.data);
  if (witness_check(g->program, &w)) {
    *ret_witness = w;
    return true;
  }
  witness_free(&w);
  return false;
}

bool hunt_along(const Guide *guide, Witness *ret_witness) {
  Follower f = {.guide = guide};
  double deadline = clock_now() + guide->seconds;
  uint32_t barrier = last_barrier(guide);
  bool found = false;
  if (guide->threads[0] == guide->threads[1]) return false;
  for (uint32_t i = 0; i < guide->step_count; i++)
    map_put(&f.planned, guide->steps[i].edge, 1);
  for (uint64_t round = 0; round < ROUNDS && !found && clock_now() < deadline; round++) {
    if (guide->stop && *guide->stop) break;
    vec_clear(&f.steps);
    vec_clear(&f.values);
    f.random = (round + 1) * 0x9e3779b97f4a7c15u;
    f.crossed = round / 2 % 2 ? barrier : 0; /* arguments change with every round */
    f.keep = draw(&f) % 2 ? (uint32_t)(draw(&f) % (f.kept.len + 1)) : f.kept.len;
    ExecOptions options = {.seed = round,
                           .argc = 1 + (int)witness_argument_count(guide->program, round),
                           .argv = witness_arguments(),
                           .stepwise = true,
                           .spurious = witness_wakes(round),
                           .refusals = witness_refuses(round),
                           .isolated = true,
                           .input = witness_input(round),
                           .havoc = choose_value,
                           .output = drop_output,
                           .unlock_any = guide->unlock_any,
                           .user = &f};
    f.exec = exec_new(guide->program, &options);
    found = follow(&f, round, ret_witness);
    exec_free(f.exec);
  }
  vec_free(&f.steps);
  vec_free(&f.values);
  vec_free(&f.kept);
  map_free(&f.planned);
  return found;
}
