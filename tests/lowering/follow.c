/* lowering_follow: does the lowering say what the interpreter does?
 *
 *   lowering_follow [-s SEED] [-r RUNS] [-n STEPS] [-x ROW] [-o ROW] [-c] INPUT...
 *   lowering_follow -l
 *
 * In: a program. Out: a line for each disagreement, then how much was compared; exit code 1 if
 * there was any disagreement.
 *
 * The program runs in the interpreter under random schedules, one step at a time. Beside it the
 * ghost variables are kept by the rows of model/lower.h (shadow.h). Before each step, a thread in
 * front of an operation of synchronisation must be able to go on exactly if one of the rows can
 * be taken. After it, one of the rows that could be taken must say what the interpreter did: go
 * on with just this result, sleep, run a function, stop. That row changes the ghosts, and what it
 * acquires and releases is what the interpreter told (orders.h). With -x one row is left out, with
 * -o the orders of one, to see that somebody notices; -c prints the rows that were taken, -l all. */
#include "orders.h"

#include "front/load.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { MOST_ROWS = 64, ALL_ROWS = 256 };

typedef struct {
  Shadow shadow;
  int left_out;  /* number of a row in the whole table; -1: none */
  int unordered; /* … that is taken to order nothing */
  Orders orders; /* of the last step */
  uint64_t compared;
  unsigned wrong;
  uint64_t taken[ALL_ROWS]; /* how often each row was taken */
} Follow;

/* The rows that can be taken now by the thread at hand. */
typedef struct {
  const LowerRow *rows[MOST_ROWS];
  uint32_t count;
} Rows;

__attribute__((format(printf, 2, 3))) static void report(Follow *f, const char *format,
                                                         ...) {
  const Shadow *s = &f->shadow;
  const Program *p = s->exec->program;
  const Loc *loc = &p->locs.data[s->edge->loc];
  va_list args;
  if (f->wrong++ > 8) return;
  printf("%s:%u:%u: %s by thread %u: ", sym_text(p, loc->file), loc->line, loc->column,
         op_text((OpKind)s->edge->op), s->self);
  va_start(args, format);
  vprintf(format, args);
  va_end(args);
  printf("\n");
}

/* In the whole table, which begins with CREATE. */
static int row_number(const LowerRow *row) {
  uint32_t count;
  return (int)(row - lower_rows(OP_CREATE, &count));
}

static Rows rows_now(Follow *f, LowerPhase phase, LowerCause cause) {
  Shadow *s = &f->shadow;
  Rows out = {0};
  uint32_t count;
  const LowerRow *rows = lower_rows((OpKind)s->edge->op, &count);
  for (uint32_t i = 0; i < count && out.count < MOST_ROWS; i++)
    if (row_number(&rows[i]) != f->left_out &&
        lower_fits(&rows[i], s->edge, phase, cause) &&
        lower_holds(&rows[i], &shadow_machine, s))
      out.rows[out.count++] = &rows[i];
  return out;
}

static bool is_lowered(const Exec *exec, EdgeId edge) {
  uint32_t count;
  lower_rows((OpKind)program_edge(exec->program, edge)->op, &count);
  return count != 0;
}

/* ---- before a step: who can go on ---- */

static bool has_choice(const ExecChoice *choices, size_t n, uint32_t thread,
                       ExecChoiceKind kind) {
  for (size_t i = 0; i < n; i++)
    if (choices[i].thread == thread && choices[i].kind == kind) return true;
  return false;
}

static void compare_thread(Follow *f, uint32_t thread, const ExecChoice *choices,
                           size_t n) {
  Shadow *s = &f->shadow;
  EdgeId edge;
  if (exec_thread(s->exec, thread)->state == THREAD_ENDED ||
      exec_next_edges(s->exec, thread, &edge, 1) != 1 || !is_lowered(s->exec, edge))
    return;
  LowerPhase phase = s->threads[thread].phase;
  if (phase == LOWER_START)
    shadow_look(s, thread, edge);
  else
    shadow_look_again(s, thread);
  f->compared++;
  bool can = rows_now(f, phase, CAUSE_STEP).count != 0;
  if (can != has_choice(choices, n, thread, CHOICE_STEP))
    report(f, "%s in phase %d",
           can ? "waits, but a row can be taken" : "goes on, but no row can be taken",
           (int)phase);
  bool late = has_choice(choices, n, thread, CHOICE_TIMEOUT);
  if (late && !rows_now(f, phase, CAUSE_TIME).count)
    report(f, "its time may pass, but no row says so");
  bool spurious = s->exec->options.spurious && rows_now(f, phase, CAUSE_SPURIOUS).count;
  if (spurious != has_choice(choices, n, thread, CHOICE_SPURIOUS))
    report(f, "waking without a cause is %s", spurious ? "impossible" : "possible");
}

static void compare_enabled(Follow *f, const ExecChoice *choices, size_t n) {
  const Exec *exec = f->shadow.exec;
  if (exec->last && exec->last->atomic_depth) return; /* nobody else may move */
  for (uint32_t t = 1; t <= exec->threads.len && t < SHADOW_THREADS; t++)
    compare_thread(f, t, choices, n);
}

/* ---- after a step: what happened ---- */

static bool result_agrees(const Follow *f, const LowerRow *row, uint32_t thread) {
  const Shadow *s = &f->shadow;
  const Edge *e = s->edge;
  EdgeId next;
  ExecThread *t = exec_thread(s->exec, thread);
  if (t->state != THREAD_READY || s->exec->result.end == EXEC_STOPPED) return false;
  if (exec_next_edges(s->exec, thread, &next, 1) &&
      program_edge(s->exec->program, next)->from != e->to)
    return false;
  SyncReturn ret =
      sync_return(s->exec->program, e, (SyncOutcome)row->outcome, row->error);
  uint64_t got;
  if (!ret.has_value || !op_has(e->op, OP_RESULT)) return true;
  if (!exec_local(s->exec, thread, e->dst, &got)) return false;
  uint32_t bits = vec_at(&s->exec->program->locals, e->dst)->bits;
  return got == ((uint64_t)ret.value & value_mask(bits));
}

static bool agrees(const Follow *f, const LowerRow *row, uint32_t thread) {
  const Exec *exec = f->shadow.exec;
  const ExecThread *t = exec_thread(exec, thread);
  switch ((LowerEnd)row->end) {
  case ENDS_RESULT: return result_agrees(f, row, thread);
  case ENDS_CANCELLED: return t->ending || t->state == THREAD_ENDED || exec->exiting;
  case ENDS_UNDEFINED: return exec->result.end == EXEC_STOPPED;
  case ENDS_NOT: break;
  }
  if (row->next == LOWER_SLEEPS) return t->state == THREAD_WAITING;
  return t->state == THREAD_READY;
}

/* The row that was taken changes the ghosts. */
static void take(Follow *f, const LowerRow *row, uint32_t thread, EdgeId edge,
                 uint32_t waiter) {
  Shadow *s = &f->shadow;
  ShadowThread *t = &s->threads[thread];
  f->taken[row_number(row)]++;
  lower_apply(row, &shadow_machine, s);
  t->edge = edge;
  t->a = s->a;
  t->lock = s->lock;
  t->joins = s->edge->op == OP_JOIN ? s->named : 0;
  t->phase = row->end == ENDS_NOT ? (LowerPhase)row->next : LOWER_START;
  if (t->phase == LOWER_RUNS) {
    vec_push(&t->once_edges, edge);
    vec_push(&t->once_flags, s->a);
    t->phase = LOWER_START;
  }
  if (!shadow_wake(s, row, waiter)) report(f, "wakes nobody");
}

static void compare_orders(Follow *f, const LowerRow *row) {
  LowerRow known = *row;
  if (row_number(row) == f->unordered) known.acquires = known.releases = 0;
  const char *difference = orders_differ(&f->orders, &f->shadow, &known);
  if (difference) report(f, "%s", difference);
}

static void compare_step(Follow *f, const Rows *rows, uint32_t thread, EdgeId edge,
                         uint32_t waiter) {
  const Exec *exec = f->shadow.exec;
  for (uint32_t i = 0; i < rows->count; i++) {
    if (!agrees(f, rows->rows[i], thread)) continue;
    f->compared++;
    compare_orders(f, rows->rows[i]);
    take(f, rows->rows[i], thread, edge, waiter);
    return;
  }
  /* a stop that no row speaks of is something that the interpreter does not do */
  if (exec->result.end != EXEC_STOPPED)
    report(f, "none of %u rows says what happened (state %d, run %d)", rows->count,
           exec_thread(exec, thread)->state, (int)exec->result.end);
}

/* The function of a once flag may have returned. */
static void compare_return(Follow *f, uint32_t thread) {
  Shadow *s = &f->shadow;
  ShadowThread *t = &s->threads[thread];
  if (!t->once_edges.len) return;
  const Sync *running = sync_find(s->exec, *vec_last(&t->once_flags), SYNC_ONCE);
  if (running && running->owner == thread) return;
  t->edge = vec_pop(&t->once_edges);
  t->a = vec_pop(&t->once_flags);
  shadow_look_again(s, thread);
  Rows rows = rows_now(f, LOWER_RUNS, CAUSE_RETURN);
  compare_step(f, &rows, thread, t->edge, 0);
}

/* ---- a run ---- */

static uint64_t next_random(uint64_t *state) {
  *state ^= *state << 13;
  *state ^= *state >> 7;
  *state ^= *state << 17;
  return *state;
}

static LowerCause cause_of(const ExecChoice *c) {
  return c->kind == CHOICE_TIMEOUT    ? CAUSE_TIME
         : c->kind == CHOICE_SPURIOUS ? CAUSE_SPURIOUS
                                      : CAUSE_STEP;
}

/* One step; false: the run has ended. */
static bool go_on(Follow *f, ExecChoice choice, size_t pick) {
  Shadow *s = &f->shadow;
  LowerPhase phase = s->threads[choice.thread].phase;
  bool lowered = is_lowered(s->exec, choice.edge), runs;
  uint8_t op = program_edge(s->exec->program, choice.edge)->op;
  Rows rows = {0};
  if (lowered && phase == LOWER_START)
    shadow_look(s, choice.thread, choice.edge);
  else if (lowered)
    shadow_look_again(s, choice.thread);
  if (lowered) rows = rows_now(f, phase, cause_of(&choice));
  vec_clear(&f->orders.events);
  runs = exec_step(s->exec, pick);
  if (lowered) compare_step(f, &rows, choice.thread, choice.edge, choice.waiter);
  if (op == OP_RETURN && choice.kind == CHOICE_STEP && runs)
    compare_return(f, choice.thread);
  shadow_catch_up(s);
  return runs && s->exec->threads.len < SHADOW_THREADS;
}

static void drop_output(void *user, int fd, const void *bytes, size_t n) {
  (void)user;
  (void)fd;
  (void)bytes;
  (void)n;
}

static uint64_t run(Follow *f, const Program *program, uint64_t seed, uint64_t steps) {
  static const char *const arguments[] = {"program"};
  ExecOptions options = {.seed = seed,
                         .stepwise = true,
                         .isolated = true,
                         .spurious = seed % 2,
                         .refusals = seed % 5 == 0,
                         .output = drop_output,
                         .watch = orders_note,
                         .user = &f->orders,
                         .argc = 1,
                         .argv = arguments};
  uint64_t random = seed * UINT64_C(0x9e3779b97f4a7c15) + 1, step = 0;
  const ExecChoice *choices;
  uint32_t last = 0;
  f->shadow = (Shadow){.exec = exec_new(program, &options)};
  for (uint32_t i = 0; i < SHADOW_THREADS; i++) f->shadow.threads[i].phase = LOWER_START;
  for (; step < steps && !f->wrong; step++) {
    size_t n = exec_choices(f->shadow.exec, &choices), pick = 0;
    if (!n) break;
    compare_enabled(f, choices, n);
    bool stay = next_random(&random) % 4 != 0;
    while (pick < n && stay && choices[pick].thread != last) pick++;
    if (pick == n || !stay) pick = next_random(&random) % n;
    last = choices[pick].thread;
    if (!go_on(f, choices[pick], pick)) break;
  }
  exec_free(f->shadow.exec);
  shadow_free(&f->shadow);
  return step;
}

static void print_row(const LowerRow *row) {
  printf("row %d: %s%s%s%s\n", row_number(row), op_text((OpKind)row->op),
         row->end == ENDS_UNDEFINED ? ", undefined" : "",
         row->error == EINVAL && row->attempts == 1 << ATTEMPT_TIMED ? ", malformed time"
                                                                     : "",
         row->acquires || row->releases ? ", ordered" : "");
}

/* All rows, or those that were taken. */
static void print_rows(const Follow *f, bool all) {
  for (int op = 0; op < OP_COUNT; op++) {
    uint32_t count;
    const LowerRow *rows = lower_rows((OpKind)op, &count);
    for (uint32_t i = 0; i < count; i++)
      if (all || f->taken[row_number(&rows[i])]) print_row(&rows[i]);
  }
}

int main(int argc, char **argv) {
  uint64_t seed = 1, runs = 1, limit = 20000, steps = 0;
  Follow f = {.left_out = -1, .unordered = -1};
  bool tell_rows = false;
  int option;
  while ((option = getopt(argc, argv, "s:r:n:x:o:cl")) != -1) {
    switch (option) {
    case 's': seed = strtoull(optarg, NULL, 10); break;
    case 'r': runs = strtoull(optarg, NULL, 10); break;
    case 'n': limit = strtoull(optarg, NULL, 10); break;
    case 'x': f.left_out = atoi(optarg); break;
    case 'o': f.unordered = atoi(optarg); break;
    case 'c': tell_rows = true; break;
    case 'l': print_rows(&f, true); return 0;
    default: return 2;
    }
  }
  FrontRequest request = {.inputs = (const char *const *)argv + optind,
                          .input_count = (size_t)(argc - optind)};
  Program program = {0};
  Err err = {0};
  if (!front_load(&request, &program, &err)) {
    Str text = {0};
    err_format(&err, &text);
    fprintf(stderr, "%s\n", str_text(&text));
    str_free(&text);
    return 2;
  }
  for (uint64_t i = 0; i < runs && !f.wrong; i++)
    steps += run(&f, &program, seed + i, limit);
  printf("%u wrong, %" PRIu64 " compared in %" PRIu64 " steps\n", f.wrong, f.compared,
         steps);
  if (tell_rows) print_rows(&f, false);
  vec_free(&f.orders.events);
  program_free(&program);
  return f.wrong ? 1 : 0;
}
