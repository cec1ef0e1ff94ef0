/* Runs of a program: making the machine, taking turns, ending. See exec.h and machine.h.
 *
 * The seeded scheduler lets a thread run for a quantum of edges that the generator draws,
 * short ones often enough to find interleavings, long ones often enough to be fast.
 * Operations on synchronisation objects end a quantum now and then. While only one thread
 * can run there are no quanta at all. Time is the number of steps (one nanosecond each)
 * plus the jumps that are made when every thread waits and some wait has a deadline. */
#include "model/exec/eval.h"
#include "model/exec/event.h"

#include <errno.h>
#include <unistd.h>

static const uint64_t MEMORY_DEFAULT = UINT64_C(4) << 30;
static const int64_t ALONE_QUANTUM = INT64_C(1) << 40;
enum { FINE_SWITCHES = 100000 };

/* ---- making and releasing ---- */

static const char *const default_argv[] = {"program", NULL};

Exec *exec_new(const Program *program, const ExecOptions *options) {
  Exec *x = mem_alloc_zero(sizeof *x);
  x->program = program;
  x->options = *options;
  if (!x->options.argc) {
    x->options.argc = 1;
    x->options.argv = default_argv;
  }
  x->stepwise = options->stepwise || options->choose;
  x->random = options->seed * UINT64_C(0x9e3779b97f4a7c15) + UINT64_C(0x2545f4914f6cdd1d);
  x->codes = mem_alloc_zero(program->functions.len * sizeof *x->codes + 1);
  x->natives = mem_alloc_zero(program->functions.len * sizeof *x->natives + 1);
  x->object_address =
      mem_alloc_zero(program->objects.len * sizeof *x->object_address + 1);
  x->memo = mem_alloc_zero(program->exprs.len * sizeof *x->memo + 1);
  x->sync = sync_new();
  x->libc = libc_state_new();
  uint64_t limit = options->memory_limit ? options->memory_limit : MEMORY_DEFAULT;
  if (!memory_open(&x->memory, limit))
    exec_stop(x, "the system does not grant enough address space to run a program");
  else if (memory_load(x))
    start_program(x);
  return x;
}

void exec_free(Exec *x) {
  if (!x) return;
  /* who leaves a one-time initialiser wakes others: first all are unwound, then freed */
  for (uint32_t i = 0; i < x->threads.len; i++)
    frames_unwind(x, x->threads.data[i], NULL);
  for (uint32_t i = 0; i < x->threads.len; i++) thread_free(x->threads.data[i]);
  natives_free(x);
  libc_state_free(x->libc);
  sync_free(x->sync);
  named_free(x);
  for (uint32_t i = 0; i < x->program->functions.len; i++) eval_code_free(x->codes[i]);
  mem_free(x->codes);
  mem_free(x->natives);
  mem_free(x->object_address);
  mem_free(x->memo);
  vec_free(&x->tls_objects);
  vec_free(&x->threads);
  vec_free(&x->active);
  vec_free(&x->keys);
  vec_free(&x->jumps);
  vec_free(&x->choices);
  str_free(&x->text);
  memory_close(&x->memory);
  mem_free(x);
}

/* ---- services ---- */

uint64_t exec_random(Exec *x) {
  x->random += UINT64_C(0x9e3779b97f4a7c15);
  uint64_t z = x->random;
  z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
  return z ^ z >> 31;
}

uint64_t exec_clock(const Exec *x) {
  return x->steps + x->skipped;
}
bool exec_isolated(const Exec *x) {
  return x->options.isolated;
}
const char *exec_input(const Exec *x) {
  return x->options.input ? x->options.input : "";
}
const char *const *exec_environment(const Exec *x) {
  static const char *const nothing[] = {NULL};
  return x->options.environment ? x->options.environment : nothing;
}
const Program *exec_program(const Exec *x) {
  return x->program;
}
int exec_argc(const Exec *x) {
  return x->options.argc;
}
const char *const *exec_argv(const Exec *x) {
  return x->options.argv;
}
LibcState *exec_libc(Exec *x) {
  return x->libc;
}
uint32_t exec_thread_number(const ExecThread *t) {
  return t->number;
}
const ExecResult *exec_result(const Exec *x) {
  return &x->result;
}

void exec_output(Exec *x, int fd, const void *bytes, size_t n) {
  if (x->options.output) {
    x->options.output(x->options.user, fd, bytes, n);
    return;
  }
  if (x->options.isolated) return;
  const char *from = bytes;
  while (n) {
    ssize_t done = write(fd, from, n);
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) return; /* as for the program itself: nobody listens */
    from += done;
    n -= (size_t)done;
  }
}

/* ---- ends ---- */

EdgeId thread_edge(const ExecThread *t) {
  const Frame *f = t ? t->frame : NULL;
  return f ? f->code->edges[f->pc - f->code->ins] : 0;
}

void exec_place(const Exec *x, EdgeId edge, Str *out) {
  if (!edge) return;
  const Loc *loc = vec_at(&x->program->locs, program_edge(x->program, edge)->loc);
  if (!loc->file && !loc->line) return;
  str_addf(out, "%s:%u:", sym_text(x->program, loc->file), loc->line);
  if (loc->column) str_addf(out, "%u:", loc->column);
  str_add_char(out, ' ');
}

static void describe_deadlock(Exec *x, Str *out) {
  str_add(out, "deadlock:");
  for (uint32_t i = 0; i < x->active.len; i++) {
    const ExecThread *t = x->active.data[i];
    ExecWait wait = {0};
    str_addf(out, "%s thread %u", i ? ";" : "", t->number);
    if (!exec_thread_wait(x, t->number, &wait)) {
      str_add(out, " cannot go on");
      continue;
    }
    static const char *const words[] = {
        "nothing",       "the lock",   "the condition",        "the barrier",
        "the semaphore", "the end of", "the once function of", "time to pass"};
    str_addf(out, " waits for %s", words[wait.kind]);
    if (wait.address) {
      str_add_char(out, ' ');
      exec_describe(x, wait.address, out);
    }
    if (wait.holder)
      str_addf(out, "%s thread %u", wait.kind == WAIT_JOIN ? "" : " held by",
               wait.holder);
    Str place = {0};
    exec_place(x, wait.edge, &place);
    if (place.len > 2) str_addf(out, " at %.*s", (int)place.len - 2, place.data);
    str_free(&place);
  }
}

Outcome exec_end(Exec *x, ExecEnd end, int status, ExecThread *t, EdgeId edge) {
  if (x->result.end != EXEC_RUNNING) return OUT_STOP;
  x->result.end = end;
  x->result.status = status;
  x->result.thread = t ? t->number : 0;
  x->result.edge = edge;
  str_clear(&x->text);
  exec_place(x, edge, &x->text);
  switch (end) {
  case EXEC_EXITED: str_addf(&x->text, "exited with status %d", status); break;
  case EXEC_ABORTED: str_addf(&x->text, "ended by signal %d", status); break;
  case EXEC_ASSERTION: {
    const char *text =
        edge ? sym_text(x->program, program_edge(x->program, edge)->path) : "";
    str_addf(&x->text, "assertion failed%s%s", *text ? ": " : "", text);
    break;
  }
  case EXEC_DEADLOCK: describe_deadlock(x, &x->text); break;
  case EXEC_ASSUMPTION: str_add(&x->text, "an assumption does not hold"); break;
  case EXEC_STEP_LIMIT:
    str_addf(&x->text, "still running after %llu steps", (unsigned long long)x->steps);
    break;
  default: str_add(&x->text, "stopped"); break;
  }
  x->result.text = str_text(&x->text);
  return OUT_STOP;
}

void exec_stop(Exec *x, const char *format, ...) {
  if (x->result.end != EXEC_RUNNING) return;
  EdgeId edge = thread_edge(x->current);
  x->result.end = EXEC_STOPPED;
  x->result.thread = x->current ? x->current->number : 0;
  x->result.edge = edge;
  Str text = {0};
  exec_place(x, edge, &text);
  va_list args;
  va_start(args, format);
  str_vaddf(&text, format, args);
  va_end(args);
  str_free(&x->text);
  x->text = text;
  x->result.text = str_text(&x->text);
}

void exec_misuse(Exec *x, const char *what) {
  if (x->result.end != EXEC_RUNNING) return;
  exec_stop(x, "%s", what);
  x->result.misuse = what;
}

/* ---- waiting ---- */

void thread_block(ExecThread *t, ExecWaitKind kind, uint64_t address, uint64_t deadline) {
  t->state = THREAD_WAITING;
  t->wait = (Wait){.kind = (uint8_t)kind, .address = address, .deadline = deadline};
}

void thread_wake(ExecThread *t) {
  t->state = THREAD_READY;
  t->wait.kind = WAIT_NONE;
  exec_more_ready(t->exec);
}

void exec_more_ready(Exec *x) {
  if (x->alone) x->switch_now = true;
}

/* The seed says whether steps of single edges, of a few, or long runs are common (0, 1,
 * 2). Fine steps find the most in small programs and cost the most in long ones: they end
 * after a while. */
static unsigned style(const Exec *x) {
  return x->switches < FINE_SWITCHES ? (unsigned)(x->options.seed % 3) : 2;
}

void exec_may_switch(Exec *x) {
  if (!x->stepwise && x->active.len > 1)
    x->switch_now = x->switch_now || (exec_random(x) & (style(x) == 2 ? 3 : 1)) == 0;
}

/* The waiting thread whose deadline is first, or NULL. */
static ExecThread *earliest(const Exec *x) {
  ExecThread *best = NULL;
  for (uint32_t i = 0; i < x->active.len; i++) {
    ExecThread *t = x->active.data[i];
    if (t->state == THREAD_WAITING && t->wait.deadline != UINT64_MAX &&
        (!best || t->wait.deadline < best->wait.deadline))
      best = t;
  }
  return best;
}

uint64_t exec_earliest(const Exec *x) {
  const ExecThread *t = earliest(x);
  return t ? t->wait.deadline : UINT64_MAX;
}

static void let_time_pass(Exec *x, ExecThread *t) {
  uint64_t now = exec_clock(x);
  if (t->wait.deadline > now) x->skipped += t->wait.deadline - now;
  sync_timeout(x, t, PHASE_TIMED_OUT);
}

/* ---- the seeded scheduler ---- */

/* How long a thread runs while others could. */
static int64_t draw_quantum(Exec *x, uint64_t draw) {
  static const uint32_t lengths[][4] = {
      {2, 4, 8, 16}, {8, 16, 64, 128}, {4, 32, 512, 4096}};
  uint32_t length = lengths[style(x)][draw % 4];
  x->switches++;
  return 1 + (int64_t)((draw >> 8) % length);
}

/* The next thread to run and for how long; NULL when none can. */
static ExecThread *pick(Exec *x, int64_t *ret_budget) {
  ExecThread *soon = earliest(x);
  while (soon && soon->wait.deadline <= exec_clock(x)) {
    sync_timeout(x, soon, PHASE_TIMED_OUT);
    soon = earliest(x);
  }
  uint32_t ready = 0;
  for (uint32_t i = 0; i < x->active.len; i++)
    ready += x->active.data[i]->state == THREAD_READY;
  if (!ready) return NULL;
  int64_t limit = soon ? (int64_t)(soon->wait.deadline - exec_clock(x)) : ALONE_QUANTUM;
  if (limit > ALONE_QUANTUM) limit = ALONE_QUANTUM;
  x->alone = ready == 1 && !x->stepwise;
  uint64_t draw = ready > 1 ? exec_random(x) : 0;
  int64_t quantum = ready > 1 ? draw_quantum(x, draw) : ALONE_QUANTUM;
  *ret_budget = quantum < limit ? quantum : limit;
  if (x->last && x->last->state == THREAD_READY && x->last->atomic_depth) return x->last;
  uint32_t index = ready > 1 ? (uint32_t)((draw >> 32) % ready) : 0;
  for (uint32_t i = 0; i < x->active.len; i++)
    if (x->active.data[i]->state == THREAD_READY && index-- == 0)
      return x->active.data[i];
  return NULL;
}

static void run_quantum(Exec *x) {
  int64_t budget;
  ExecThread *t = pick(x, &budget);
  if (!t) {
    ExecThread *soon = earliest(x);
    if (soon)
      let_time_pass(x, soon);
    else
      exec_end(x, EXEC_DEADLOCK, 0, NULL, 0);
    return;
  }
  uint64_t max = x->options.max_steps;
  if (max && (uint64_t)budget > max - x->steps) budget = (int64_t)(max - x->steps);
  x->current = x->last = t;
  x->switch_now = false;
  if (t->cancel_asked && t->cancel_async && thread_test_cancel(x, t) != OUT_NEXT) return;
  eval_run(x, t, &budget);
  if (max && x->steps >= max) exec_end(x, EXEC_STEP_LIMIT, 0, t, thread_edge(t));
}

/* What the program had written is shown even when it could not go on; a program that
 * aborts or calls _exit loses it, as it would natively, and one that exits has flushed
 * already. */
static void finish_run(Exec *x) {
  x->result.steps = x->steps;
  if (x->flushed || x->result.end == EXEC_RUNNING) return;
  x->flushed = true;
  if (x->result.end != EXEC_EXITED && x->result.end != EXEC_ABORTED)
    libc_flush(x, x->libc);
}

/* A stepwise machine without a scheduler: time passes when nothing else can be done. */
static size_t choose_by_seed(Exec *x, const ExecChoice *choices, size_t count) {
  size_t steps = 0;
  for (size_t i = 0; i < count; i++) steps += choices[i].kind != CHOICE_TIMEOUT;
  size_t pick = (size_t)(exec_random(x) % (steps ? steps : count));
  for (size_t i = 0; i < count; i++)
    if ((!steps || choices[i].kind != CHOICE_TIMEOUT) && pick-- == 0) return i;
  return 0;
}

const ExecResult *exec_run(Exec *x) {
  while (x->result.end == EXEC_RUNNING) {
    if (!x->stepwise) {
      run_quantum(x);
      continue;
    }
    const ExecChoice *choices;
    size_t count = exec_choices(x, &choices);
    if (!count) break;
    size_t index = x->options.choose
                       ? x->options.choose(x->options.user, x, choices, count)
                       : choose_by_seed(x, choices, count);
    if (index >= count) {
      exec_stop(x, "the scheduler chose a step that does not exist");
      break;
    }
    exec_step(x, index);
  }
  finish_run(x);
  return &x->result;
}

bool exec_step(Exec *x, size_t index) {
  if (x->result.end != EXEC_RUNNING) return false;
  assert(x->stepwise && index < x->choices.len);
  ExecChoice choice = x->choices.data[index];
  ExecThread *t = exec_thread(x, choice.thread);
  vec_clear(&x->choices);
  x->current = x->last = t;
  if (choice.kind == CHOICE_TIMEOUT) {
    let_time_pass(x, t);
  } else if (choice.kind == CHOICE_SPURIOUS) {
    sync_timeout(x, t, PHASE_WOKEN);
  } else {
    Frame *f = t->frame;
    t->chosen = choice.waiter;
    if (f->pc->op == INS_YIELD) {
      event_before_edge(x, t, choice.edge);
      const Function *function = vec_at(&x->program->functions, f->code->function);
      f->pc = f->code->ins + f->code->edge_start[choice.edge - function->first_edge];
    }
    int64_t budget = ALONE_QUANTUM;
    if (!t->cancel_asked || !t->cancel_async || thread_test_cancel(x, t) == OUT_NEXT)
      eval_run(x, t, &budget);
  }
  if (x->options.max_steps && x->steps >= x->options.max_steps)
    exec_end(x, EXEC_STEP_LIMIT, 0, t, thread_edge(t));
  finish_run(x);
  return x->result.end == EXEC_RUNNING;
}
