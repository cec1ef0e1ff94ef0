/* Following a schedule of the solver on the interpreter. See kiss.h.
 *
 * A step of the schedule is one visible operation of a thread; what the thread does before, by
 * itself, is its own affair. Values from outside are those of the model, for each thread and each
 * place in their order. */
#include "engine/kiss/kiss.h"

#include "base/map.h"
#include "model/exec/clocks.h"

enum { MOST_ON_THE_WAY = 200000, MOST_STEPS = 1000000 };

typedef struct {
  const Program *program;
  const KissSchedule *schedule;
  Exec *exec;
  HuntSteps steps;
  HuntValues values;
  Map taken;        /* thread and edge → how many values were used */
  uint32_t running; /* the thread that moves */
  /* of a race whose accesses are unordered */
  Clocks *clocks;
  EdgeId edges[2];
  bool second_first; /* of the two that are next */
  Witness race;      /* kind 0: not seen yet */
} Follower;

static void give_value(void *user, EdgeId edge, uint32_t bits, uint64_t *words) {
  Follower *f = user;
  uint64_t key = (uint64_t)f->running << 32 | edge;
  uint64_t skip = map_find(&f->taken, key, 0);
  map_put(&f->taken, key, skip + 1);
  for (uint32_t i = 0; i < (bits + 63) / 64; i++) words[i] = 0;
  for (uint32_t i = 0; i < f->schedule->values.len; i++) {
    const KissValue *v = &f->schedule->values.data[i];
    if (v->thread != f->running || v->edge != edge || skip--) continue;
    for (uint32_t k = 0; k < (bits + 63) / 64 && k < 2; k++) words[k] = v->words[k];
    break;
  }
  for (uint32_t i = 0; i < (bits + 63) / 64; i++) vec_push(&f->values, words[i]);
}

static void drop_output(void *user, int fd, const void *bytes, size_t n) {
  (void)user, (void)fd, (void)bytes, (void)n;
}

/* ---- accesses that nothing orders ---- */

static bool is_asked_for(void *user, EdgeId edge) {
  const Follower *f = user;
  return edge == f->edges[0] || edge == f->edges[1];
}

static void see_race(void *user, const ClockAccess *before, const ExecEvent *now) {
  Follower *f = user;
  uint32_t step = f->steps.len - 1;
  bool pair = (before->edge == f->edges[0] && now->edge == f->edges[1]) ||
              (before->edge == f->edges[1] && now->edge == f->edges[0]);
  if (!pair || before->step >= step || f->race.kind) return;
  f->race = (Witness){.kind = WITNESS_RACE,
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

/* ---- steps ---- */

/* The thread's choice that takes `edge` (0: any) in this way; n: there is none. */
static size_t find_choice(const ExecChoice *choices, size_t n, uint32_t thread,
                          EdgeId edge, ExecChoiceKind kind, uint32_t waiter) {
  for (size_t i = 0; i < n; i++)
    if (choices[i].thread == thread && choices[i].kind == kind &&
        (!edge || choices[i].edge == edge) &&
        (!waiter || !choices[i].waiter || choices[i].waiter == waiter))
      return i;
  return n;
}

static bool take(Follower *f, const ExecChoice *choices, size_t i) {
  HuntStep step = {choices[i].thread, choices[i].edge, choices[i].kind,
                   choices[i].waiter};
  vec_push(&f->steps, step);
  f->running = choices[i].thread;
  return exec_step(f->exec, i);
}

/* Somebody is inside an atomic section: he goes on first. */
static bool let_out(Follower *f, uint32_t thread) {
  const ExecChoice *choices;
  size_t n = exec_choices(f->exec, &choices);
  if (!n || !f->steps.len) return false;
  uint32_t last = vec_last(&f->steps)->thread;
  size_t i = find_choice(choices, n, last, 0, CHOICE_STEP, 0);
  return last != thread && i < n && take(f, choices, i);
}

/* Takes the thread to where it can take `edge`. False: it does not get there. */
static bool run_to(Follower *f, uint32_t thread, EdgeId edge, uint32_t waiter,
                   bool late) {
  for (uint32_t i = 0; i < MOST_ON_THE_WAY && f->steps.len < MOST_STEPS; i++) {
    const ExecChoice *choices;
    size_t n = exec_choices(f->exec, &choices);
    if (!n) return false;
    ExecChoiceKind kind = late ? CHOICE_TIMEOUT : CHOICE_STEP;
    if (find_choice(choices, n, thread, edge, kind, waiter) < n) return true;
    size_t any = find_choice(choices, n, thread, 0, CHOICE_STEP, 0);
    if (any >= n) any = find_choice(choices, n, thread, 0, CHOICE_TIMEOUT, 0);
    if (any >= n ? !let_out(f, thread) : !take(f, choices, any)) return false;
  }
  return false;
}

static bool stands_before(Follower *f, uint32_t thread, EdgeId edge) {
  const ExecChoice *choices;
  size_t n = exec_choices(f->exec, &choices);
  return find_choice(choices, n, thread, edge, CHOICE_STEP, 0) < n;
}

static bool run_to_end(Follower *f, uint32_t thread) {
  for (uint32_t i = 0; i < MOST_ON_THE_WAY && f->steps.len < MOST_STEPS; i++) {
    if (exec_thread_state(f->exec, thread) == THREAD_ENDED) return true;
    const ExecChoice *choices;
    size_t n = exec_choices(f->exec, &choices);
    size_t any = find_choice(choices, n, thread, 0, CHOICE_STEP, 0);
    if (any >= n ? !let_out(f, thread) : !take(f, choices, any)) return false;
  }
  return false;
}

/* Up to and with the return from the function that a once flag runs. */
static bool run_to_return(Follower *f, uint32_t thread, FuncId function) {
  const Program *p = f->program;
  for (uint32_t i = 0; i < MOST_ON_THE_WAY && f->steps.len < MOST_STEPS; i++) {
    const ExecChoice *choices;
    size_t n = exec_choices(f->exec, &choices);
    size_t any = find_choice(choices, n, thread, 0, CHOICE_STEP, 0);
    if (any >= n) return false;
    const Edge *e = program_edge(p, choices[any].edge);
    bool last = e->op == OP_RETURN && vec_at(&p->nodes, e->from)->function == function;
    if (!take(f, choices, any)) return false;
    if (last) return true;
  }
  return false;
}

static bool wake_for_nothing(Follower *f, const KissStep *s) {
  const ExecChoice *choices;
  size_t n = exec_choices(f->exec, &choices);
  size_t i = find_choice(choices, n, s->thread, s->edge, CHOICE_SPURIOUS, 0);
  return i < n && take(f, choices, i);
}

static bool follow_step(Follower *f, const KissStep *s) {
  if (s->thread == 0 || s->thread > exec_thread_count(f->exec)) return false;
  if (s->spurious && !wake_for_nothing(f, s)) return false;
  if (!s->edge) return run_to_end(f, s->thread);
  if (s->returns) return run_to_return(f, s->thread, s->returns);
  if (!run_to(f, s->thread, s->edge, s->waiter, s->late) &&
      !(s->late && run_to(f, s->thread, s->edge, s->waiter, false)))
    return false;
  const ExecChoice *choices;
  size_t n = exec_choices(f->exec, &choices);
  size_t i = find_choice(choices, n, s->thread, s->edge,
                         s->late ? CHOICE_TIMEOUT : CHOICE_STEP, s->waiter);
  if (i >= n) i = find_choice(choices, n, s->thread, s->edge, CHOICE_STEP, s->waiter);
  return i < n && (take(f, choices, i) || exec_result(f->exec)->end != EXEC_RUNNING);
}

/* ---- at the end of the schedule ---- */

static bool end_race(Follower *f, const SeqProgram *seq, Witness *w) {
  const KissTarget *t = &f->schedule->target;
  if (t->unordered) {
    for (int k = 0; k < 2 && t->standing && !f->race.kind; k++) {
      int i = f->second_first ? 1 - k : k;
      KissStep step = {.thread = f->schedule->numbers[i], .edge = f->edges[i]};
      if (exec_result(f->exec)->end == EXEC_RUNNING) follow_step(f, &step);
    }
    Witness seen = f->race;
    if (!seen.kind) return false;
    seen.unlock_any = w->unlock_any, seen.engine = w->engine, seen.input = w->input;
    seen.seed = w->seed, seen.arguments = w->arguments;
    *w = seen;
    return true;
  }
  ExecAccess x[EXEC_ACCESS_MAX], y[EXEC_ACCESS_MAX];
  for (int i = 0; i < 2; i++) {
    w->threads[i] = f->schedule->numbers[i];
    w->edges[i] = seq->threads.data[t->threads[i]].events.data[t->events[i]].edge;
    if (w->threads[i] == 0 || w->threads[i] > exec_thread_count(f->exec) ||
        !run_to(f, w->threads[i], w->edges[i], 0, false))
      return false;
  }
  if (!stands_before(f, w->threads[0], w->edges[0])) return false;
  size_t n = exec_next_access(f->exec, w->threads[0], w->edges[0], x);
  size_t m = exec_next_access(f->exec, w->threads[1], w->edges[1], y);
  for (size_t i = 0; i < n; i++)
    for (size_t k = 0; k < m; k++)
      if (x[i].address < y[k].address + y[k].size &&
          y[k].address < x[i].address + x[i].size) {
        w->address = x[i].address > y[k].address ? x[i].address : y[k].address;
        return true;
      }
  return false;
}

static bool end_assertion(Follower *f, const SeqProgram *seq, Witness *w) {
  const KissTarget *t = &f->schedule->target;
  EdgeId edge = seq->threads.data[t->threads[0]].events.data[t->events[0]].edge;
  if (exec_result(f->exec)->end == EXEC_RUNNING &&
      f->schedule->numbers[0] <= exec_thread_count(f->exec) &&
      run_to(f, f->schedule->numbers[0], edge, 0, false))
    follow_step(f, &(KissStep){.thread = f->schedule->numbers[0], .edge = edge});
  const ExecResult *end = exec_result(f->exec);
  w->edge = end->edge;
  return end->end == EXEC_ASSERTION;
}

/* All threads go on as far as they can by themselves; then none must be able to, unless some wait for
 * each other before, by a step of one that waits then or has ended. They go on by turns: one of them
 * may never come to an end. */
static bool end_deadlock(Follower *f, Witness *w) {
  const ExecChoice *choices;
  size_t n;
  uint32_t last = 0;
  (void)w;
  while (f->steps.len < MOST_STEPS && (n = exec_choices(f->exec, &choices)) > 0) {
    if ((!last || exec_thread_state(f->exec, last) != THREAD_READY) &&
        witness_is_stuck(f->exec, NULL))
      return true;
    size_t i = 0, first = n;
    for (; i < n && (choices[i].kind != CHOICE_STEP || choices[i].thread <= last); i++)
      if (choices[i].kind == CHOICE_STEP && first == n) first = i;
    if (i == n) i = first;
    if (i == n) break;
    last = choices[i].thread;
    if (!take(f, choices, i)) break;
  }
  return witness_is_stuck(f->exec, NULL);
}

static bool at_end(Follower *f, const SeqProgram *seq, Witness *w) {
  switch (w->kind) {
  case WITNESS_RACE: return end_race(f, seq, w);
  case WITNESS_ASSERT: return end_assertion(f, seq, w);
  case WITNESS_DEADLOCK: return end_deadlock(f, w);
  case WITNESS_NONE: break;
  }
  return false;
}

static bool follow(const Program *program, const SeqProgram *seq,
                   const KissSchedule *schedule, uint64_t world, bool second_first,
                   bool unlock_any, Witness *ret) {
  Follower f = {.program = program,
                .schedule = schedule,
                .running = 1,
                .second_first = second_first};
  Witness w = {.kind = schedule->target.kind,
               .unlock_any = unlock_any,
               .engine = "kiss",
               .seed = world,
               .arguments = witness_argument_count(program, world),
               .input = witness_input(world)};
  ExecOptions options = {.seed = world,
                         .argc = 1 + (int)w.arguments,
                         .argv = witness_arguments(),
                         .stepwise = true,
                         .spurious = witness_wakes(world),
                         .refusals = witness_refuses(world),
                         .isolated = true,
                         .input = w.input,
                         .havoc = give_value,
                         .output = drop_output,
                         .unlock_any = unlock_any,
                         .user = &f};
  const KissTarget *t = &schedule->target;
  if (t->unordered) {
    for (int i = 0; i < 2; i++)
      f.edges[i] = seq->threads.data[t->threads[i]].events.data[t->events[i]].edge;
    f.clocks = clocks_new(is_asked_for, see_race, &f);
    options.watch = watch;
  }
  f.exec = exec_new(program, &options);
  bool good = true;
  for (uint32_t i = 0; i < schedule->steps.len && good && !f.race.kind; i++)
    good = exec_result(f.exec)->end == EXEC_RUNNING &&
           follow_step(&f, &schedule->steps.data[i]);
  good = good || f.race.kind;
  bool failed = exec_result(f.exec)->end == EXEC_ASSERTION;
  if (failed && w.kind != WITNESS_RACE) w.kind = WITNESS_ASSERT;
  good = (good || failed) && at_end(&f, seq, &w);
  exec_free(f.exec);
  clocks_free(f.clocks);
  map_free(&f.taken);
  memcpy(&w.steps, &f.steps, sizeof w.steps);
  memcpy(&w.values, &f.values, sizeof w.values);
  if (good && witness_check(program, &w)) {
    *ret = w;
    return true;
  }
  witness_free(&w);
  return false;
}

bool kiss_follow(const Program *program, const SeqProgram *seq,
                 const KissSchedule *schedule, uint64_t world, bool unlock_any,
                 Witness *ret) {
  const KissTarget *t = &schedule->target;
  if (follow(program, seq, schedule, world, false, unlock_any, ret)) return true;
  /* What is undefined in one order (a lock is destroyed while it is held) may be seen in the other. */
  return t->unordered && t->standing &&
         follow(program, seq, schedule, world, true, unlock_any, ret);
}
