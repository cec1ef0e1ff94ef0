/* Runs along the steps of an engine that may know little about data. See hunt.h.
 *
 * A thread runs until it stands before the edge that its next step names, and takes it. A
 * step that has to wait is passed over: the threads it waits for have steps of their own.
 * A thread that comes to another edge of the plan first went astray: the round is over.
 *
 * The first round is exact: the values that the plan gives, no arguments, no input, nothing
 * refused, no wait that ends by itself unless a step says so. Each later one keeps the values that
 * led as far as any round has come, or some of them (a value may turn out wrong much later than it
 * was drawn), and draws the rest anew. What comes out is believed after witness_check. */
#include "engine/hunt/hunt.h"

#include "base/clock.h"
#include "base/map.h"
#include "base/mem.h"
#include "base/str.h"
#include "model/exec/clocks.h"

#include <string.h>

enum {
  ROUNDS = 400,
  MOST_STEPS = 100000,
  MOST_ON_THE_WAY = 5000,
  BURST = 64, /* steps of one thread behind the plan, before others have a turn */
};

/* What a round gives the program, beside values. */
typedef struct {
  uint64_t seed;
  uint32_t arguments;
  const char *input;
  bool given; /* the plan's values */
} Round;

typedef struct {
  const Guide *guide;
  const Plan *plan;
  Round round;
  Exec *exec;
  HuntSteps steps;
  HuntValues values;
  HuntValues kept; /* values that led as far as `reached` */
  uint32_t keep;   /* so many of them in this round */
  uint32_t reached;
  VEC(uint32_t) used; /* so many words of each of the plan's values */
  uint32_t running;   /* the thread whose step is being taken, from 1 on */
  Map planned; /* edges of the steps, but for branches: other rounds of a loop take them, too */
  uint64_t random;
  Clocks *clocks;   /* TARGET_UNORDERED, else NULL */
  Witness seen;     /* the first such race of the round, if any */
  uint32_t crossed; /* not 0: from this step on the two threads have changed parts */
} Follower;

static uint64_t draw(Follower *f) {
  f->random ^= f->random << 13;
  f->random ^= f->random >> 7;
  f->random ^= f->random << 17;
  return f->random;
}

/* ---- values ---- */

/* The plan's next value for the thread, if it has one for this. What the machine asks for besides
 * HAVOC, whether something is refused, is none of it. */
static bool give_value(Follower *f, EdgeId edge, uint32_t n, uint64_t *words) {
  if (!f->round.given || program_edge(f->guide->program, edge)->op != OP_HAVOC)
    return false;
  for (uint32_t i = 0; i < f->plan->value_count; i++) {
    const GuideValues *v = &f->plan->values[i];
    uint32_t *used = vec_at(&f->used, i);
    if (v->thread + 1 != f->running || *used >= v->count) continue;
    for (uint32_t k = 0; k < n; k++)
      words[k] = *used < v->count ? v->words[(*used)++] : 0;
    return true;
  }
  return false;
}

/* What the plan says, what is kept from earlier rounds; then small numbers. */
static void choose_value(void *user, EdgeId edge, uint32_t bits, uint64_t *words) {
  Follower *f = user;
  uint32_t n = (bits + 63) / 64;
  uint64_t value = draw(f) % 4 ? draw(f) % 2 : draw(f) % 8;
  bool given = give_value(f, edge, n, words);
  for (uint32_t i = 0; i < n; i++) {
    if (!given) words[i] = i ? 0 : value;
    if (!given && f->values.len < f->keep) words[i] = f->kept.data[f->values.len];
    vec_push(&f->values, words[i]);
  }
}

static void drop_output(void *user, int fd, const void *bytes, size_t n) {
  (void)user, (void)fd, (void)bytes, (void)n;
}

/* ---- steps ---- */

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

/* Its end of a wait that nobody else causes: for a condition without a signal, where the round has
 * that, or because time has passed. */
static size_t ending_of(const ExecChoice *choices, size_t n, uint32_t thread,
                        ExecChoiceKind kind) {
  size_t i = 0;
  while (i < n && (choices[i].thread != thread || choices[i].kind != kind)) i++;
  return i;
}

/* The choice that the step names, or one that differs in whom it wakes. */
static size_t planned_choice(const ExecChoice *choices, size_t n, const GuideStep *step) {
  size_t best = n;
  for (size_t i = 0; i < n; i++) {
    if (choices[i].thread != step->thread + 1 || choices[i].edge != step->edge ||
        choices[i].kind != step->kind)
      continue;
    if (best == n || choices[i].waiter == step->waiter) best = i;
  }
  return best;
}

static bool take(Follower *f, const ExecChoice *choices, size_t i) {
  HuntStep step = {choices[i].thread, choices[i].edge, choices[i].kind,
                   choices[i].waiter};
  vec_push(&f->steps, step);
  f->running = step.thread;
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
    if (any >= n) any = ending_of(choices, n, thread, CHOICE_SPURIOUS);
    if (any >= n) any = ending_of(choices, n, thread, CHOICE_TIMEOUT);
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

/* The end of a wait that nobody else causes: the thread waits in that edge. */
static bool follow_ending(Follower *f, const GuideStep *step) {
  const ExecChoice *choices;
  size_t n = exec_choices(f->exec, &choices);
  size_t i = planned_choice(choices, n, step);
  return i < n && take(f, choices, i);
}

static bool follow_step(Follower *f, const GuideStep *step) {
  uint32_t thread = step->thread + 1;
  const ExecChoice *choices;
  if (thread > exec_thread_count(f->exec)) return false;
  if (step->kind != CHOICE_STEP) return follow_ending(f, step);
  bool there = stands_before(f, thread, step->edge);
  if (!there && !run_to(f, thread, step->edge))
    return stands_before(f, thread, step->edge); /* it must wait: others will free it */
  size_t n = exec_choices(f->exec, &choices);
  size_t i = planned_choice(choices, n, step);
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

/* ---- the target ---- */

/* The net may have let another thread be the special one of a barrier than the machine does. So
 * now and then the two that are to race change parts, from the last barrier on. */
static EdgeId edge_of(const Follower *f, int i) {
  return f->plan->edges[f->crossed ? 1 - i : i];
}

static GuideStep step_of(const Follower *f, uint32_t i) {
  const Plan *plan = f->plan;
  GuideStep step = plan->steps[i];
  if (!f->crossed || i < f->crossed) return step;
  if (step.thread == plan->threads[0])
    step.thread = plan->threads[1];
  else if (step.thread == plan->threads[1])
    step.thread = plan->threads[0];
  return step;
}

/* The step behind the last barrier; 0: there is none. */
static uint32_t last_barrier(const Guide *g) {
  uint32_t i = g->plan->step_count;
  while (i && program_edge(g->program, g->plan->steps[i - 1].edge)->op != OP_BARRIER_WAIT)
    i--;
  return i;
}

bool hunt_accesses_meet(Exec *exec, const uint32_t threads[2], const EdgeId edges[2],
                        uint64_t *ret_address) {
  ExecAccess x[EXEC_ACCESS_MAX], y[EXEC_ACCESS_MAX];
  size_t n = exec_next_access(exec, threads[0], edges[0], x);
  size_t m = exec_next_access(exec, threads[1], edges[1], y);
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

static bool bring_to_race(Follower *f, uint32_t reached, Witness *w) {
  w->kind = WITNESS_RACE;
  for (int i = 0; i < 2; i++) {
    w->threads[i] = f->plan->threads[i] + 1;
    w->edges[i] = edge_of(f, i);
    if (w->threads[i] > exec_thread_count(f->exec) ||
        !run_to(f, w->threads[i], w->edges[i]))
      return false;
    note_progress(f, ++reached);
  }
  return hunt_accesses_meet(f->exec, w->threads, w->edges, &w->address);
}

/* The step that is taken next behind the plan: `first` as long as it can, or else bursts of one
 * thread. n: nothing but waits that would have to end by themselves. */
static size_t pick_behind(Follower *f, const ExecChoice *choices, size_t n,
                          uint32_t first, uint32_t taken) {
  size_t i = first ? choice_of(choices, n, first, 0) : n;
  if (i < n) return i;
  if (taken % BURST && f->steps.len) {
    i = choice_of(choices, n, vec_last(&f->steps)->thread, 0);
    if (i < n) return i;
  }
  size_t steps = 0;
  for (size_t k = 0; k < n; k++) steps += choices[k].kind == CHOICE_STEP;
  size_t wanted = steps ? draw(f) % steps : 0;
  for (size_t k = 0; k < n; k++) {
    if (choices[k].kind != (steps ? CHOICE_STEP : CHOICE_TIMEOUT)) continue;
    if (!wanted--) return k;
  }
  return n;
}

/* The last step was one that may close a circle of waits, and there is one. */
static bool has_got_stuck(Follower *f) {
  return f->steps.len &&
         exec_thread_state(f->exec, vec_last(&f->steps)->thread) != THREAD_READY &&
         witness_is_stuck(f->exec, NULL);
}

/* Lets the threads run on behind the last step, until the run ends or, where that is looked for, some
 * wait for each other. */
static void run_out(Follower *f, uint32_t first) {
  bool deadlock = f->plan->target == TARGET_DEADLOCK;
  const volatile int *stop = f->guide->stop;
  for (uint32_t i = 0; i < MOST_ON_THE_WAY && !(stop && *stop); i++) {
    const ExecChoice *choices;
    size_t n = exec_choices(f->exec, &choices);
    size_t next = n ? pick_behind(f, choices, n, first, i) : n;
    if (next >= n || !take(f, choices, next) || (deadlock && has_got_stuck(f))) return;
  }
}

static bool bring_to_assertion(Follower *f, Witness *w) {
  run_out(f, f->plan->threads[0] + 1);
  w->kind = WITNESS_ASSERT;
  w->edge = f->plan->edges[0];
  const ExecResult *end = exec_result(f->exec);
  return end->end == EXEC_ASSERTION && end->edge == w->edge;
}

static bool bring_to_deadlock(Follower *f, Witness *w) {
  run_out(f, 0);
  const ExecResult *end = exec_result(f->exec);
  if (!witness_is_stuck(f->exec, NULL)) return false;
  w->kind = WITNESS_DEADLOCK;
  w->edge = end->edge;
  w->text = str_dup(end->text ? end->text : "");
  return true;
}

/* ---- accesses that nothing orders ---- */

static bool is_targeted(void *user, EdgeId edge) {
  const Plan *plan = ((Follower *)user)->plan;
  return edge == plan->edges[0] || edge == plan->edges[1];
}

static void see_race(void *user, const ClockAccess *before, const ExecEvent *now) {
  Follower *f = user;
  const EdgeId *wanted = f->plan->edges;
  uint32_t step = f->steps.len - 1;
  bool pair = (before->edge == wanted[0] && now->edge == wanted[1]) ||
              (before->edge == wanted[1] && now->edge == wanted[0]);
  if (f->seen.kind != WITNESS_NONE || !pair || before->step >= step) return;
  f->seen = (Witness){.kind = WITNESS_RACE,
                      .threads = {before->thread, now->thread},
                      .edges = {before->edge, now->edge},
                      .address = before->address,
                      .unordered = true,
                      .at = {before->step, step},
                      .hidden = now->hidden};
}

static void watch(void *user, const ExecEvent *event) {
  Follower *f = user;
  if (f->steps.len) clocks_event(f->clocks, event, f->steps.len - 1);
}

/* The schedule of such a race ends with its second access. */
static bool bring_to_unordered(Follower *f, Witness *w) {
  if (f->seen.kind == WITNESS_NONE) run_out(f, f->plan->threads[1] + 1);
  if (f->seen.kind == WITNESS_NONE) return false;
  f->seen.seed = w->seed;
  f->seen.input = w->input;
  f->seen.unlock_any = w->unlock_any;
  f->seen.arguments = w->arguments;
  *w = f->seen;
  f->steps.len = w->at[1] + 1;
  return true;
}

static bool bring_to_target(Follower *f, uint32_t reached, Witness *w) {
  switch (f->plan->target) {
  case TARGET_RACE: return bring_to_race(f, reached, w);
  case TARGET_ASSERTION: return bring_to_assertion(f, w);
  case TARGET_DEADLOCK: return bring_to_deadlock(f, w);
  case TARGET_UNORDERED: return bring_to_unordered(f, w);
  }
  return false;
}

/* ---- rounds ---- */

/* Along the plan; a run that ends on the way may have come to what the plan is about. */
static bool follow(Follower *f, Witness *ret_witness) {
  const Plan *plan = f->plan;
  Witness w = {.seed = f->round.seed,
               .input = f->round.input,
               .unlock_any = f->guide->unlock_any,
               .arguments = f->round.arguments};
  uint32_t reached = 0;
  for (; reached < plan->step_count; reached++) {
    GuideStep step = step_of(f, reached);
    bool taken = follow_step(f, &step);
    if (exec_result(f->exec)->end != EXEC_RUNNING || f->seen.kind != WITNESS_NONE) break;
    if (!taken && !f->clocks) return false;
    if (!taken) break;
    note_progress(f, reached + 1);
  }
  if (!bring_to_target(f, reached, &w)) return false;
  if (f->steps.len)
    memcpy(vec_extend(&w.steps, f->steps.len), f->steps.data,
           f->steps.len * sizeof *f->steps.data);
  if (f->values.len)
    memcpy(vec_extend(&w.values, f->values.len), f->values.data,
           f->values.len * sizeof *f->values.data);
  if (witness_check(f->guide->program, &w)) {
    *ret_witness = w;
    return true;
  }
  witness_free(&w);
  return false;
}

static bool has_waking(const Plan *plan) {
  for (uint32_t i = 0; i < plan->step_count; i++)
    if (plan->steps[i].kind == CHOICE_SPURIOUS) return true;
  return false;
}

/* The seed decides whether waits may end by themselves and whether something may be refused; the
 * plan's values are given in every other round, in case that one of them is wrong. */
static Round choose_round(const Guide *g, uint64_t n) {
  uint64_t seed = n;
  while (n == 0 && has_waking(g->plan) && !witness_wakes(seed)) seed++;
  return (Round){.seed = seed,
                 .arguments = n ? witness_argument_count(g->program, n) : 0,
                 .input = n ? witness_input(n) : "",
                 .given = n % 2 == 0};
}

static void start_round(Follower *f, uint64_t n, uint32_t barrier) {
  vec_clear(&f->steps);
  vec_clear(&f->values);
  vec_clear(&f->used);
  f->seen = (Witness){0};
  if (f->clocks) clocks_clear(f->clocks);
  for (uint32_t i = 0; i < f->plan->value_count; i++) vec_push(&f->used, 0);
  f->round = choose_round(f->guide, n);
  f->random = (n + 1) * 0x9e3779b97f4a7c15u;
  f->crossed = n / 2 % 2 ? barrier : 0; /* arguments change with every round */
  f->keep = draw(f) % 2 ? (uint32_t)(draw(f) % (f->kept.len + 1)) : f->kept.len;
}

static bool run_round(Follower *f, Witness *ret_witness) {
  ExecOptions options = {.seed = f->round.seed,
                         .argc = 1 + (int)f->round.arguments,
                         .argv = witness_arguments(),
                         .stepwise = true,
                         .spurious = witness_wakes(f->round.seed),
                         .refusals = witness_refuses(f->round.seed),
                         .isolated = true,
                         .input = f->round.input,
                         .havoc = choose_value,
                         .output = drop_output,
                         .unlock_any = f->guide->unlock_any,
                         .watch = f->clocks ? watch : NULL,
                         .user = f};
  f->exec = exec_new(f->guide->program, &options);
  bool found = follow(f, ret_witness);
  exec_free(f->exec);
  return found;
}

bool hunt_along(const Guide *guide, Witness *ret_witness) {
  const Plan *plan = guide->plan;
  Follower f = {.guide = guide, .plan = plan};
  double deadline = clock_now() + guide->seconds;
  uint32_t barrier = plan->target == TARGET_RACE ? last_barrier(guide) : 0;
  bool found = false;
  if (plan->target == TARGET_UNORDERED) f.clocks = clocks_new(is_targeted, see_race, &f);
  if (plan->target == TARGET_RACE && plan->threads[0] == plan->threads[1]) return false;
  for (uint32_t i = 0; i < plan->step_count; i++)
    if (program_edge(guide->program, plan->steps[i].edge)->op != OP_ASSUME)
      map_put(&f.planned, plan->steps[i].edge, 1);
  for (uint64_t n = 0; n < ROUNDS && !found && clock_now() < deadline; n++) {
    if (guide->stop && *guide->stop) break;
    start_round(&f, n, barrier);
    found = run_round(&f, ret_witness);
  }
  vec_free(&f.steps);
  vec_free(&f.values);
  vec_free(&f.kept);
  vec_free(&f.used);
  map_free(&f.planned);
  if (f.clocks) clocks_free(f.clocks);
  return found;
}
