/* The independent look at a witness: a fresh machine, the recorded choices and values, and the
 * question at the end. See hunt.h. */
#include "engine/hunt/hunt.h"

#include "base/mem.h"

#include <string.h>

typedef struct {
  const Witness *witness;
  const WitnessWatch *watch;
  uint32_t step;
  uint32_t next_value;
  bool exhausted; /* the program asked for more values than were recorded */
} Replay;

void witness_free(Witness *w) {
  vec_free(&w->steps);
  vec_free(&w->values);
  mem_free(w->text);
  *w = (Witness){0};
}

uint32_t witness_argument_count(const Program *program, uint64_t round) {
  enum { MOST = 3 };
  bool takes_any = vec_at(&program->functions, program->main)->param_count > 0;
  return takes_any && round % 2 ? 1 + (uint32_t)(round / 2 % MOST) : 0;
}

bool witness_wakes(uint64_t round) {
  return round % 4 == 3;
}

bool witness_refuses(uint64_t round) {
  return round % 4 == 2;
}

const char *const *witness_arguments(void) {
  static const char *const words[] = {"program", "3", "2", "", NULL};
  return words;
}

const char *witness_input(uint64_t round) {
  static const char *const texts[] = {"", "3\n2\n1\n4\n0\n1\n", "",
                                      "1 2 3 4 y\nn\nend\n"};
  return texts[round / 2 % 4];
}

static void replay_value(void *user, EdgeId edge, uint32_t bits, uint64_t *words) {
  Replay *r = user;
  uint32_t n = (bits + 63) / 64;
  for (uint32_t i = 0; i < n; i++) {
    r->exhausted = r->exhausted || r->next_value >= r->witness->values.len;
    words[i] = r->exhausted ? 0 : r->witness->values.data[r->next_value++];
  }
  if (r->watch->value) r->watch->value(r->watch->user, r->step, edge, words);
}

static void drop_output(void *user, int fd, const void *bytes, size_t n) {
  (void)user, (void)fd, (void)bytes, (void)n;
}

static void pass_event(void *user, const ExecEvent *event) {
  const Replay *r = user;
  r->watch->event(r->watch->user, event, r->step);
}

/* Takes exactly the recorded step, or says that it is not possible here. */
static bool take(Exec *exec, const HuntStep *step) {
  const ExecChoice *choices;
  size_t n = exec_choices(exec, &choices);
  for (size_t i = 0; i < n; i++)
    if (choices[i].thread == step->thread && choices[i].edge == step->edge &&
        choices[i].kind == step->kind && choices[i].waiter == step->waiter) {
      exec_step(exec, i);
      return true;
    }
  return false;
}

static bool is_next(Exec *exec, uint32_t thread, EdgeId edge) {
  const ExecChoice *choices;
  size_t n = exec_choices(exec, &choices);
  for (size_t i = 0; i < n; i++)
    if (choices[i].thread == thread && choices[i].edge == edge &&
        choices[i].kind == CHOICE_STEP)
      return true;
  return false;
}

/* Both threads can take their edges now, on a common byte, one of them writing. */
static bool race_is_next(Exec *exec, const Witness *w) {
  if (w->threads[0] == w->threads[1] || !is_next(exec, w->threads[0], w->edges[0]) ||
      !is_next(exec, w->threads[1], w->edges[1]))
    return false;
  ExecAccess x[EXEC_ACCESS_MAX], y[EXEC_ACCESS_MAX];
  size_t n = exec_next_access(exec, w->threads[0], w->edges[0], x);
  size_t m = exec_next_access(exec, w->threads[1], w->edges[1], y);
  for (size_t i = 0; i < n; i++)
    for (size_t k = 0; k < m; k++) {
      bool overlap = x[i].address < y[k].address + y[k].size &&
                     y[k].address < x[i].address + x[i].size;
      bool conflict = ((x[i].kind | y[k].kind) & ACCESS_WRITE) &&
                      !(x[i].kind & y[k].kind & ACCESS_ATOMIC);
      if (overlap && conflict && x[i].has_object && y[k].has_object) return true;
    }
  return false;
}

bool witness_follow(const Program *program, const Witness *w, const WitnessWatch *watch) {
  Replay replay = {.witness = w, .watch = watch};
  ExecOptions options = {.seed = w->seed,
                         .argc = 1 + (int)w->arguments,
                         .argv = witness_arguments(),
                         .stepwise = true,
                         .spurious = witness_wakes(w->seed),
                         .refusals = witness_refuses(w->seed),
                         .isolated = true,
                         .input = w->input,
                         .havoc = replay_value,
                         .output = drop_output,
                         .unlock_any = w->unlock_any,
                         .glibc = w->glibc,
                         .watch = watch->event ? pass_event : NULL,
                         .user = &replay};
  Exec *exec = exec_new(program, &options);
  bool followed = true;
  for (uint32_t i = 0; i < w->steps.len && followed; i++) {
    const HuntStep *step = &w->steps.data[i];
    replay.step = i;
    if (watch->before) watch->before(watch->user, exec, step);
    followed = take(exec, step);
    if (followed && watch->after) watch->after(watch->user, exec, step);
  }
  followed = followed && !replay.exhausted;
  if (followed && watch->end) watch->end(watch->user, exec);
  exec_free(exec);
  return followed;
}

typedef struct {
  const Witness *witness;
  OrderLog log; /* of a race whose accesses are unordered */
  bool good;
} Judge;

static void log_event(void *user, const ExecEvent *event, uint32_t step) {
  order_add(&((Judge *)user)->log, event, step);
}

bool witness_find_race(const Witness *w, const OrderLog *log, uint32_t ret[2]) {
  return w->unordered && w->steps.len && w->at[0] < w->at[1] &&
         w->at[1] == w->steps.len - 1 &&
         order_find_race(log, w->threads, w->edges, w->at, ret);
}

bool witness_is_stuck(Exec *exec, bool **ret_in) {
  const ExecChoice *choices;
  uint32_t n = exec_thread_count(exec);
  bool *in = mem_alloc_zero((n + UINT32_C(1)) * sizeof *in);
  bool stuck =
      exec_choices(exec, &choices) == 0 && exec_result(exec)->end == EXEC_DEADLOCK;
  for (uint32_t t = 1; stuck && t <= n; t++)
    in[t] = exec_thread_state(exec, t) != THREAD_ENDED;
  if (!stuck && exec_result(exec)->end == EXEC_RUNNING)
    stuck = exec_find_circle(exec, in);
  if (ret_in)
    *ret_in = in;
  else
    mem_free(in);
  return stuck;
}

static void judge(void *user, Exec *exec) {
  Judge *j = user;
  const ExecResult *end = exec_result(exec);
  uint32_t pair[2];
  switch (j->witness->kind) {
  case WITNESS_NONE: break;
  case WITNESS_RACE:
    j->good = j->witness->unordered ? witness_find_race(j->witness, &j->log, pair)
                                    : race_is_next(exec, j->witness);
    break;
  case WITNESS_ASSERT:
    j->good = end->end == EXEC_ASSERTION && end->edge == j->witness->edge;
    break;
  case WITNESS_DEADLOCK: j->good = witness_is_stuck(exec, NULL); break;
  }
}

bool witness_check(const Program *program, const Witness *w) {
  Judge j = {.witness = w};
  WitnessWatch watch = {.end = judge, .user = &j};
  if (w->unordered) watch.event = log_event;
  bool good = witness_follow(program, w, &watch) && j.good;
  order_free(&j.log);
  return good;
}
