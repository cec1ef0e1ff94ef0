/* See route.h. The witness is followed once more, and what its steps do is written down as
 * the runtime inside of the real program will meet it: the accesses as the machine tells
 * them, synchronisation when it is complete. What the runtime has no event for is left
 * out, or is optional. */
#include "engine/route.h"

#include "base/mem.h"
#include "model/sync.h"

#include <string.h>

enum { MOST_STEPS = 1 << 17 };

typedef struct {
  uint64_t address;
  uint32_t depth;
} Owned;

/* One thread of the machine. */
typedef struct {
  uint32_t parent, index, children;
  VEC(Owned) locks;
  bool in_wait;   /* of a condition or a barrier: it has begun */
  bool timed_out; /* … and will end by time */
  FuncId once;    /* the routine that it runs once, or 0 */
} Walker;

typedef struct {
  const Program *program;
  const Witness *witness;
  VEC(Walker) threads; /* thread n of the machine is number n - 1 */
  VEC(RouteStep) steps;
  VEC(RouteValue) values;
  VEC(RouteEnd) ends;
  uint32_t first;  /* of `steps` that belongs to the step that is being taken */
  uint64_t sync;   /* what the step that is about to be taken works on */
  uint32_t other;  /* … and whom it names */
  bool done_once;  /* … and what runs once has run */
  bool impossible; /* the real program cannot be made to go there */
} Walk;

static Walker *walker(Walk *w, uint32_t thread) {
  while (w->threads.len < thread) vec_push(&w->threads, (Walker){0});
  return vec_at(&w->threads, thread - 1);
}

static RouteStep *add(Walk *w, uint32_t thread, RouteOp op, EdgeId edge) {
  vec_push(&w->steps, ((RouteStep){.thread = thread - 1,
                                   .op = (uint8_t)op,
                                   .place = place_of_edge(w->program, edge)}));
  return vec_last(&w->steps);
}

/* ---- accesses ---- */

static RouteOp atomic_op(const ExecEvent *e) {
  if (!(e->access & ACCESS_WRITE)) return ROUTE_ATOMIC_LOAD;
  return e->access & ACCESS_READ ? ROUTE_ATOMIC_RMW : ROUTE_ATOMIC_STORE;
}

static void add_access(Walk *w, const ExecEvent *e, RouteOp op, uint32_t step) {
  const Witness *witness = w->witness;
  RouteStep *added = add(w, e->thread, op, e->edge);
  added->optional = true;
  for (uint8_t i = 0; i < 2 && witness->unordered; i++)
    if (step == witness->at[i] && e->edge == witness->edges[i] &&
        e->thread == witness->threads[i])
      added->mark = (uint8_t)(i + 1);
}

static void see_event(void *user, const ExecEvent *e, uint32_t step) {
  Walk *w = user;
  if (e->kind == EVENT_CREATE) {
    walker(w, e->other);
    Walker *parent = walker(w, e->thread);
    walker(w, e->other)->parent = e->thread - 1;
    walker(w, e->other)->index = parent->children++;
  }
  if (e->kind != EVENT_ACCESS || e->hidden) return;
  if (e->order != ORDER_NONE) {
    add_access(w, e, atomic_op(e), step);
    return;
  }
  if (e->access & ACCESS_READ) add_access(w, e, ROUTE_READ, step);
  if (e->access & ACCESS_WRITE) add_access(w, e, ROUTE_WRITE, step);
}

/* ---- locks: only the first acquisition and the last release are events ---- */

static Owned *owned(Walker *t, uint64_t address) {
  for (uint32_t i = 0; i < t->locks.len; i++)
    if (t->locks.data[i].address == address) return &t->locks.data[i];
  return NULL;
}

static void add_lock(Walk *w, uint32_t thread, const Edge *e, EdgeId edge, bool late) {
  Walker *t = walker(w, thread);
  Owned *mine = owned(t, w->sync);
  bool shared = e->mode == MODE_SHARED;
  if (late) {
    add(w, thread, shared ? ROUTE_FAILED_READ_LOCK : ROUTE_FAILED_LOCK, edge);
    return;
  }
  add(w, thread, shared ? ROUTE_READ_LOCK : ROUTE_LOCK, edge)->optional =
      mine || e->attempt != ATTEMPT_BLOCK;
  if (mine)
    mine->depth++;
  else
    vec_push(&t->locks, ((Owned){w->sync, 1}));
}

static void add_unlock(Walk *w, uint32_t thread, EdgeId edge) {
  Walker *t = walker(w, thread);
  Owned *mine = owned(t, w->sync);
  bool last = mine && mine->depth == 1;
  add(w, thread, ROUTE_UNLOCK, edge)->optional = !last;
  if (mine && --mine->depth == 0) *mine = vec_pop(&t->locks);
}

/* ---- waits: they begin with one step and end with another ---- */

static void add_wait(Walk *w, uint32_t thread, EdgeId edge, bool waits) {
  Walker *t = walker(w, thread);
  if (waits && !t->in_wait) add(w, thread, ROUTE_WAIT, edge);
  if (!waits && t->in_wait)
    add(w, thread, t->timed_out ? ROUTE_TIMED_OUT : ROUTE_WOKEN, edge);
  t->in_wait = waits;
}

static void add_barrier(Walk *w, uint32_t thread, EdgeId edge, bool waits) {
  Walker *t = walker(w, thread);
  if (!t->in_wait) add(w, thread, ROUTE_BARRIER_ENTER, edge);
  if (!waits) add(w, thread, ROUTE_BARRIER_EXIT, edge);
  t->in_wait = waits;
}

/* ---- steps ---- */

/* What the call has returned; true also where the program does not look at it. */
static bool succeeded(const Walk *w, Exec *exec, uint32_t thread, const Edge *e) {
  const SyncResult *result = vec_at(&w->program->results, e->aux);
  uint64_t words[2] = {0};
  if (!e->dst || vec_at(&w->program->locals, e->dst)->bits > 64 ||
      !exec_local(exec, thread, e->dst, words))
    return true;
  return (int32_t)words[0] == result->ok;
}

static void add_once(Walk *w, uint32_t thread, const Edge *e, EdgeId edge) {
  const Expr *routine = program_expr(w->program, e->b);
  add(w, thread, w->done_once ? ROUTE_ONCE_SEEN : ROUTE_ONCE_RUN, edge);
  if (!w->done_once && routine->kind == EXPR_FUNC)
    walker(w, thread)->once = (FuncId)routine->data;
}

/* The routine returns to what called it once. */
static void add_return(Walk *w, uint32_t thread, EdgeId edge) {
  Walker *t = walker(w, thread);
  const Function *f = t->once ? vec_at(&w->program->functions, t->once) : NULL;
  if (!f || edge < f->first_edge || edge >= f->first_edge + f->edge_count) return;
  RouteStep *step = add(w, thread, ROUTE_ONCE_END, 0);
  step->optional = true;
  t->once = 0;
}

static void before_step(void *user, Exec *exec, const HuntStep *step) {
  Walk *w = user;
  const Edge *e = program_edge(w->program, step->edge);
  int32_t state = 0;
  w->first = w->steps.len;
  w->sync = exec_next_sync(exec, step->thread, step->edge);
  w->other = exec_next_thread(exec, step->thread, step->edge);
  w->done_once = e->op == OP_ONCE &&
                 exec_peek_memory(exec, w->sync, &state, sizeof state) &&
                 state == ONCE_DONE;
}

/* An operation on a lock or a semaphore is complete. */
static void add_try(Walk *w, Exec *exec, uint32_t thread, EdgeId edge) {
  const Edge *e = program_edge(w->program, edge);
  bool good = succeeded(w, exec, thread, e);
  if (e->op == OP_SEM_WAIT)
    add(w, thread, good ? ROUTE_SEM_WAIT : ROUTE_FAILED_SEM_WAIT, edge);
  else if (good || e->attempt != ATTEMPT_BLOCK)
    add_lock(w, thread, e, edge, !good);
}

static void add_step(Walk *w, Exec *exec, uint32_t thread, EdgeId edge) {
  const Edge *e = program_edge(w->program, edge);
  ExecWait wait;
  bool waits = exec_thread_wait(exec, thread, &wait) && wait.edge == edge;
  switch ((OpKind)e->op) {
  case OP_CREATE: add(w, thread, ROUTE_CREATE, edge); break;
  case OP_JOIN:
    if (!waits && w->other && succeeded(w, exec, thread, e))
      add(w, thread, ROUTE_JOIN, edge);
    break;
  case OP_LOCK:
  case OP_SEM_WAIT:
    if (!waits) add_try(w, exec, thread, edge);
    break;
  case OP_UNLOCK: add_unlock(w, thread, edge); break;
  case OP_WAIT: add_wait(w, thread, edge, waits); break;
  case OP_SIGNAL: add(w, thread, ROUTE_SIGNAL, edge); break;
  case OP_BROADCAST: add(w, thread, ROUTE_BROADCAST, edge); break;
  case OP_BARRIER_WAIT: add_barrier(w, thread, edge, waits); break;
  case OP_SEM_POST: add(w, thread, ROUTE_SEM_POST, edge); break;
  case OP_ONCE:
    if (!waits) add_once(w, thread, e, edge);
    break;
  case OP_RELEASE: add(w, thread, ROUTE_BEFORE, edge)->optional = true; break;
  case OP_ACQUIRE: add(w, thread, ROUTE_AFTER, edge)->optional = true; break;
  case OP_RETURN: add_return(w, thread, edge); break;
  case OPS_MOVE:
  case OPS_SET:
  case OP_CALL:
  case OP_UNREACHABLE:
  case OPS_MEMORY:
  case OP_ASSERT:
  case OP_EXIT:
  case OP_DETACH:
  case OP_EXIT_THREAD:
  case OP_SELF:
  case OPS_CANCEL:
  case OP_LOCK_INIT:
  case OP_LOCK_DESTROY:
  case OP_COND_INIT:
  case OP_COND_DESTROY:
  case OP_BARRIER_INIT:
  case OP_BARRIER_DESTROY:
  case OP_SEM_INIT:
  case OP_SEM_VALUE:
  case OP_SEM_DESTROY:
  case OPS_SECTION: break;
  }
  if (!waits) walker(w, thread)->timed_out = false;
}

/* Whoever copies reads before it writes; the machine tells it in any order. */
static void put_reads_first(Walk *w) {
  uint32_t to = w->first;
  for (uint32_t i = w->first; i < w->steps.len; i++) {
    RouteStep step = w->steps.data[i];
    if (step.op != ROUTE_READ) continue;
    memmove(&w->steps.data[to + 1], &w->steps.data[to], (i - to) * sizeof *w->steps.data);
    w->steps.data[to++] = step;
  }
}

static void after_step(void *user, Exec *exec, const HuntStep *step) {
  Walk *w = user;
  put_reads_first(w);
  if (step->kind == CHOICE_TIMEOUT) walker(w, step->thread)->timed_out = true;
  if (step->kind == CHOICE_STEP) add_step(w, exec, step->thread, step->edge);
  w->impossible = w->impossible || w->steps.len > MOST_STEPS;
}

/* A function that may return anything; or something is refused, which the real program
 * would get. */
/* The program is given a value there; all other choices are refusals. */
static bool gives_value(const Program *p, EdgeId edge) {
  const Edge *e = program_edge(p, edge);
  const Expr *callee = e->op == OP_CALL ? program_expr(p, e->a) : NULL;
  return e->op == OP_HAVOC || (callee && callee->kind == EXPR_FUNC &&
                               program_writes_input(p, (FuncId)callee->data));
}

static void see_value(void *user, uint32_t step, EdgeId edge, const uint64_t *words) {
  Walk *w = user;
  if (gives_value(w->program, edge))
    vec_push(&w->values,
             ((RouteValue){w->witness->steps.data[step].thread - 1, words[0]}));
  else
    w->impossible = w->impossible || words[0];
}

/* ---- the end ---- */

static void add_end(Walk *w, uint32_t thread, EdgeId edge, unsigned access) {
  vec_push(&w->ends, ((RouteEnd){.thread = thread - 1,
                                 .place = place_of_edge(w->program, edge),
                                 .write = access & ACCESS_WRITE,
                                 .atomic = access & ACCESS_ATOMIC}));
}

static void end_with_race(Walk *w, Exec *exec) {
  const Witness *witness = w->witness;
  ExecAccess x[EXEC_ACCESS_MAX], y[EXEC_ACCESS_MAX];
  size_t n = exec_next_access(exec, witness->threads[0], witness->edges[0], x);
  size_t m = exec_next_access(exec, witness->threads[1], witness->edges[1], y);
  for (size_t i = 0; i < n; i++)
    for (size_t k = 0; k < m; k++) {
      bool overlap = x[i].address < y[k].address + y[k].size &&
                     y[k].address < x[i].address + x[i].size;
      if (w->ends.len || !overlap || !((x[i].kind | y[k].kind) & ACCESS_WRITE)) continue;
      add_end(w, witness->threads[0], witness->edges[0], x[i].kind);
      add_end(w, witness->threads[1], witness->edges[1], y[k].kind);
    }
}

static void end_with_deadlock(Walk *w, Exec *exec) {
  bool *in;
  witness_is_stuck(exec, &in);
  for (uint32_t t = 1; t <= exec_thread_count(exec); t++) {
    ExecWait wait;
    EdgeId edge = 0;
    if (!in[t]) continue;
    if (exec_thread_wait(exec, t, &wait))
      edge = wait.edge;
    else
      exec_next_edges(exec, t, &edge, 1);
    if (edge) add_end(w, t, edge, 0);
  }
  mem_free(in);
}

static void at_end(void *user, Exec *exec) {
  Walk *w = user;
  const ExecResult *end = exec_result(exec);
  switch (w->witness->kind) {
  case WITNESS_NONE: break;
  case WITNESS_RACE:
    if (!w->witness->unordered) end_with_race(w, exec);
    break;
  case WITNESS_DEADLOCK: end_with_deadlock(w, exec); break;
  case WITNESS_ASSERT: add_end(w, end->thread, end->edge, 0); break;
  }
}

/* ---- the whole ---- */

static RouteKind kind_of(const Witness *w) {
  if (w->kind == WITNESS_RACE) return w->unordered ? ROUTE_TO_UNORDERED : ROUTE_TO_RACE;
  return w->kind == WITNESS_DEADLOCK ? ROUTE_TO_DEADLOCK : ROUTE_TO_ASSERT;
}

static const Route *keep(const Walk *w, Arena *arena) {
  Route *r = arena_alloc(arena, sizeof *r);
  RouteThread *threads = arena_alloc(arena, (w->threads.len + 1) * sizeof *threads);
  for (uint32_t i = 0; i < w->threads.len; i++)
    threads[i] = (RouteThread){w->threads.data[i].parent, w->threads.data[i].index};
  *r = (Route){
      .kind = kind_of(w->witness),
      .steps = arena_dup(arena, w->steps.data, w->steps.len * sizeof *w->steps.data),
      .step_count = w->steps.len,
      .threads = threads,
      .thread_count = w->threads.len,
      .values = arena_dup(arena, w->values.data, w->values.len * sizeof *w->values.data),
      .value_count = w->values.len,
      .ends = arena_dup(arena, w->ends.data, w->ends.len * sizeof *w->ends.data),
      .end_count = w->ends.len,
      .arguments = witness_arguments(),
      .argument_count = 1 + w->witness->arguments,
      .input = w->witness->input ? w->witness->input : ""};
  return r;
}

const Route *route_of_witness(const Program *program, const Witness *witness,
                              Arena *arena) {
  if (witness->hidden || witness->unlock_any) return NULL;
  Walk w = {.program = program, .witness = witness};
  WitnessWatch watch = {.before = before_step,
                        .after = after_step,
                        .end = at_end,
                        .event = see_event,
                        .value = see_value,
                        .user = &w};
  walker(&w, 1);
  bool good = witness_follow(program, witness, &watch) && !w.impossible &&
              (w.ends.len || witness->unordered);
  const Route *route = good ? keep(&w, arena) : NULL;
  for (uint32_t i = 0; i < w.threads.len; i++) vec_free(&w.threads.data[i].locks);
  vec_free(&w.threads);
  vec_free(&w.steps);
  vec_free(&w.values);
  vec_free(&w.ends);
  return route;
}
