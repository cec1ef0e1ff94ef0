/* Looking inside between steps: possible steps, waits, next accesses. See exec.h. */
#include "model/exec/eval.h"
#include "model/exec/libc_state.h"
#include "model/exec/sync.h"
#include "model/op_access.h"

#include <assert.h>
#include <stdlib.h>

uint32_t exec_thread_count(const Exec *x) {
  return x->threads.len;
}

/* A thread of a stepwise machine in front of an operation that would block: it has not
 * begun to wait, but to the world it waits. The edge, or 0. */
static EdgeId held_up_at(Exec *x, ExecThread *t) {
  EdgeId edge;
  if (!x->stepwise || t->state != THREAD_READY ||
      exec_next_edges(x, t->number, &edge, 1) != 1 || !sync_would_block(x, t, edge))
    return 0;
  return edge;
}

ExecThreadState exec_thread_state(Exec *x, uint32_t thread) {
  ExecThread *t = exec_thread(x, thread);
  if (!t) return THREAD_ENDED;
  return held_up_at(x, t) ? THREAD_WAITING : (ExecThreadState)t->state;
}

static bool wait_of_edge(Exec *x, ExecThread *t, EdgeId edge, ExecWait *ret) {
  const Edge *e = program_edge(x->program, edge);
  *ret = (ExecWait){.edge = edge, .address = eval_peek_small(x, t, e->a, 0)};
  if (e->op == OP_CALL) {
    ret->kind = WAIT_LOCK;
    ret->address = stream_awaited_at(x, t, edge);
    ret->holder = sync_holder(x, ret->address);
    return true;
  }
  switch ((OpKind)e->op) {
  case OP_LOCK: ret->kind = WAIT_LOCK; break;
  case OP_WAIT:
    ret->kind = WAIT_LOCK;
    ret->address = eval_peek_small(x, t, e->b, 0);
    break;
  case OP_JOIN: {
    const ExecThread *other = thread_of_id(x, ret->address);
    ret->kind = WAIT_JOIN;
    ret->address = 0;
    ret->holder = other ? other->number : 0;
    return true;
  }
  case OP_SEM_WAIT: ret->kind = WAIT_SEMAPHORE; return true;
  case OP_ONCE: ret->kind = WAIT_ONCE; break;
  case OPS_SEQUENTIAL:
  case OP_CREATE:
  case OP_DETACH:
  case OP_EXIT_THREAD:
  case OP_SELF:
  case OPS_CANCEL:
  case OP_LOCK_INIT:
  case OP_UNLOCK:
  case OP_LOCK_DESTROY:
  case OP_COND_INIT:
  case OPS_WAKE:
  case OP_COND_DESTROY:
  case OPS_BARRIER:
  case OP_SEM_INIT:
  case OP_SEM_POST:
  case OP_SEM_VALUE:
  case OP_SEM_DESTROY:
  case OPS_USER:
  case OPS_SECTION: return false;
  }
  ret->holder = sync_holder(x, ret->address);
  return true;
}

bool exec_thread_wait(Exec *x, uint32_t thread, ExecWait *ret) {
  ExecThread *t = exec_thread(x, thread);
  EdgeId edge = t ? held_up_at(x, t) : 0;
  if (edge) return wait_of_edge(x, t, edge, ret);
  if (!t || t->state != THREAD_WAITING) return false;
  *ret = (ExecWait){.kind = (ExecWaitKind)t->wait.kind,
                    .address = t->wait.address,
                    .edge = thread_edge(t),
                    .timed = t->wait.deadline != UINT64_MAX};
  if (ret->kind == WAIT_JOIN) {
    ret->holder = t->wait.thread;
    ret->address = 0;
  } else if (ret->kind == WAIT_LOCK || ret->kind == WAIT_ONCE) {
    ret->holder = sync_holder(x, t->wait.address);
  }
  return true;
}

size_t exec_input_read(const Exec *x) {
  return x->libc->input_at;
}

bool exec_peek_memory(Exec *x, uint64_t address, void *to, size_t n) {
  if (!memory_may_read(&x->memory, address, n)) return false;
  memcpy(to, x->memory.bytes + address, n);
  return true;
}

/* ---- edges ---- */

/* The node at which a thread of a stepwise machine stands; 0 inside of an edge. */
static NodeId standing_at(const Exec *x, const ExecThread *t) {
  const Frame *f = t->frame;
  return f && f->pc->op == INS_YIELD ? eval_node_at(x, f->code, f->pc) : 0;
}

static bool may_take(Exec *x, ExecThread *t, EdgeId id) {
  const Edge *e = program_edge(x->program, id);
  if (e->op == OP_ASSUME) return eval_peek_small(x, t, e->a, 0) != 0;
  if (e->op == OP_GOTO)
    return eval_peek_small(x, t, e->a, 0) == exec_label_address(x, e->aux);
  return true;
}

size_t exec_next_edges(Exec *x, uint32_t thread, EdgeId *edges, size_t max) {
  ExecThread *t = exec_thread(x, thread);
  if (!t || !t->frame || !x->stepwise) return 0;
  NodeId node = standing_at(x, t);
  if (!node) {
    if (max) edges[0] = thread_edge(t);
    return 1;
  }
  size_t count = 0;
  for (EdgeId e = node_first_edge(x->program, node); e < node_end_edge(x->program, node);
       e++) {
    if (!may_take(x, t, e)) continue;
    if (count < max) edges[count] = e;
    count++;
  }
  return count;
}

/* ---- accesses ---- */

static ExecAccess access_at(Exec *x, uint64_t address, uint64_t size, unsigned kind) {
  ExecAccess access = {.address = address, .size = size, .kind = kind};
  access.has_object = exec_find_object(x, address, &access.object);
  return access;
}

/* A compare-and-exchange that would fail only reads. What cannot be told would succeed. */
static bool would_exchange(Exec *x, ExecThread *t, const Edge *e, uint64_t address) {
  enum { WORDS = VALUE_SMALL_WORDS };
  uint64_t now[WORDS], expected[WORDS];
  uint32_t bits = program_expr(x->program, e->b)->bits;
  if (value_words(bits) > WORDS || !memory_may_write(&x->memory, address, e->size) ||
      !eval_peek(x, t, e->b, expected))
    return true;
  value_from_bytes(now, x->memory.bytes + address, bits);
  return value_compare(now, expected, bits) == 0;
}

size_t exec_next_access(Exec *x, uint32_t thread, EdgeId edge,
                        ExecAccess ret[EXEC_ACCESS_MAX]) {
  ExecThread *t = exec_thread(x, thread);
  if (!t || !t->frame) return 0;
  const Edge *e = program_edge(x->program, edge);
  /* what has begun to wait, or has to, reads and writes nothing now */
  if (t->phase != PHASE_START || sync_would_block(x, t, edge)) return 0;
  OpAccess list[OP_ACCESS_MAX];
  uint32_t n = op_accesses(x->program, e, list), count = 0;
  for (uint32_t i = 0; i < n; i++) {
    uint64_t address = eval_peek_small(x, t, list[i].address, 0);
    uint64_t size =
        list[i].count ? eval_peek_small(x, t, list[i].count, 0) : list[i].size;
    if ((list[i].kind & OP_OBJECT) || !address || !size) continue;
    assert(count < EXEC_ACCESS_MAX);
    unsigned kind = list[i].kind;
    if (e->op == OP_CMPXCHG && !would_exchange(x, t, e, address)) kind &= ~ACCESS_WRITE;
    ret[count] = access_at(x, address, size, kind);
    ret[count++].operand = list[i].address;
  }
  return count;
}

uint64_t exec_next_sync(Exec *x, uint32_t thread, EdgeId edge) {
  ExecThread *t = exec_thread(x, thread);
  const Edge *e = program_edge(x->program, edge);
  if (!t || !t->frame || e->op < OP_LOCK_INIT || e->op > OP_ACQUIRE) return 0;
  return eval_peek_small(x, t, e->a, 0);
}

uint64_t exec_next_lock(Exec *x, uint32_t thread, EdgeId edge) {
  ExecThread *t = exec_thread(x, thread);
  const Edge *e = program_edge(x->program, edge);
  if (!t || !t->frame || (e->op != OP_LOCK && e->op != OP_UNLOCK && e->op != OP_WAIT))
    return 0;
  return eval_peek_small(x, t, e->op == OP_WAIT ? e->b : e->a, 0);
}

uint32_t exec_next_thread(Exec *x, uint32_t thread, EdgeId edge) {
  ExecThread *t = exec_thread(x, thread);
  const Edge *e = program_edge(x->program, edge);
  if (!t || !t->frame || (e->op != OP_JOIN && e->op != OP_DETACH && e->op != OP_CANCEL))
    return 0;
  const ExecThread *other = thread_of_id(x, eval_peek_small(x, t, e->a, 0));
  return other ? other->number : 0;
}

bool exec_local(Exec *x, uint32_t thread, LocalId local, uint64_t *words) {
  const ExecThread *t = exec_thread(x, thread);
  if (!t || !t->frame) return false;
  const Function *f = vec_at(&x->program->functions, t->frame->code->function);
  if (local < f->first_local || local - f->first_local >= f->local_count) return false;
  uint32_t slot = t->frame->code->slot_of[local - f->first_local];
  memcpy(words, &t->frame->slots[slot],
         value_words(vec_at(&x->program->locals, local)->bits) * sizeof *words);
  return true;
}

/* ---- choices ---- */

static void add_choice(Exec *x, const ExecThread *t, EdgeId edge, ExecChoiceKind kind,
                       uint32_t waiter) {
  ExecChoice choice = {
      .thread = t->number, .edge = edge, .kind = (uint8_t)kind, .waiter = waiter};
  vec_push(&x->choices, choice);
}

static int order_numbers(const void *a, const void *b) {
  const uint32_t *x = a, *y = b;
  return *x < *y ? -1 : *x > *y;
}

static void add_edge(Exec *x, ExecThread *t, EdgeId edge) {
  const Edge *e = program_edge(x->program, edge);
  const uint32_t *waiters;
  if (sync_would_block(x, t, edge)) return;
  if (e->op == OP_SIGNAL) {
    size_t count = sync_waiters(x, eval_peek_small(x, t, e->a, 0), &waiters);
    if (count > 1) {
      uint32_t *sorted = mem_dup(waiters, count * sizeof *sorted);
      qsort(sorted, count, sizeof *sorted, order_numbers);
      for (size_t i = 0; i < count; i++) add_choice(x, t, edge, CHOICE_STEP, sorted[i]);
      mem_free(sorted);
      return;
    }
  }
  add_choice(x, t, edge, CHOICE_STEP, 0);
}

/* What this thread could do now. False: it can never go on. */
static bool add_thread(Exec *x, ExecThread *t) {
  if (t->state == THREAD_WAITING) {
    EdgeId edge = thread_edge(t);
    if (t->wait.deadline != UINT64_MAX && t->wait.deadline == exec_earliest(x))
      add_choice(x, t, edge, CHOICE_TIMEOUT, 0);
    if (t->wait.kind == WAIT_CONDITION && x->options.spurious)
      add_choice(x, t, edge, CHOICE_SPURIOUS, 0);
    return true;
  }
  NodeId node = standing_at(x, t);
  if (!node) {
    add_edge(x, t, thread_edge(t));
    return true;
  }
  bool possible = false;
  EdgeId first = node_first_edge(x->program, node), end = node_end_edge(x->program, node);
  for (EdgeId e = first; e < end; e++) {
    if (!may_take(x, t, e)) continue;
    possible = true;
    add_edge(x, t, e);
  }
  return possible;
}

/* No execution goes on behind this node, and nobody else can do anything before that. */
static void end_at(Exec *x, ExecThread *t) {
  NodeId node = standing_at(x, t);
  EdgeId first = node_first_edge(x->program, node), end = node_end_edge(x->program, node);
  x->current = t;
  exec_stuck(x, t, first < end ? first : 0);
}

size_t exec_choices(Exec *x, const ExecChoice **ret) {
  *ret = NULL;
  vec_clear(&x->choices);
  if (x->result.end != EXEC_RUNNING || !x->stepwise) return 0;
  /* inside of an atomic section nobody else runs, as long as its thread can */
  ExecThread *halted = NULL;
  if (x->last && x->last->atomic_depth && x->last->state == THREAD_READY &&
      !add_thread(x, x->last))
    halted = x->last;
  if (!x->choices.len && !halted)
    for (uint32_t i = 0; i < x->active.len; i++)
      if (!add_thread(x, x->active.data[i]) && !halted) halted = x->active.data[i];
  if (!x->choices.len && halted)
    end_at(x, halted);
  else if (!x->choices.len)
    exec_end(x, EXEC_DEADLOCK, 0, NULL, 0);
  *ret = x->choices.data;
  return x->choices.len;
}
