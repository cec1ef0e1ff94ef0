/* See machine.h: one thread, edge by edge, up to its next visible operation. */
#include "engine/interleave/machine.h"

#include "model/op_access.h"

#include <stdarg.h>

enum { STEP_LIMIT = 20000 }; /* invisible edges in one step: then others get a turn */

void machine_init(Machine *m, Facts *facts, const MachineOptions *options) {
  memset(m, 0, sizeof *m);
  m->facts = facts;
  m->p = facts->program;
  m->options = *options;
  m->memo.values = mem_alloc_zero(m->p->exprs.len * sizeof *m->memo.values + 1);
  m->memo.stamps = mem_alloc_zero(m->p->exprs.len * sizeof *m->memo.stamps + 1);
  m->memo.stamp = 1;
}

void machine_free(Machine *m) {
  state_free(&m->s);
  str_free(&m->why);
  mem_free(m->memo.values);
  mem_free(m->memo.stamps);
  vec_free(&m->places);
  vec_free(&m->scratch);
  vec_free(&m->atomics);
  map_free(&m->failed);
  vec_free(&m->failing);
  vec_free(&m->trail);
}

Outcome il_give_up(Machine *m, const char *format, ...) {
  str_clear(&m->why);
  va_list args;
  va_start(args, format);
  str_vaddf(&m->why, format, args);
  va_end(args);
  const Edge *e = m->edge ? program_edge(m->p, m->edge) : NULL;
  const Loc *loc = e && e->loc ? vec_at(&m->p->locs, e->loc) : NULL;
  if (loc && loc->line)
    str_addf(&m->why, " at %s:%u", sym_text(m->p, loc->file), loc->line);
  return OUTCOME_GIVE_UP;
}

int machine_choose_freely(Machine *m, unsigned n) {
  if (n <= 1) return 0;
  if (m->choice_count == MAX_CHOICES || n > UINT8_MAX) return -1;
  uint32_t at = m->choice_count++;
  if (at >= m->choice_given) m->chosen[at] = 0;
  m->ways[at] = (uint8_t)n;
  return m->chosen[at];
}

int machine_choose(Machine *m, unsigned n) {
  if (n > 1) m->guessed = true;
  return machine_choose_freely(m, n);
}

Outcome il_block(Machine *m, Wait wait) {
  m->wait = wait;
  return OUTCOME_BLOCKED;
}

Outcome machine_start(Machine *m) {
  const Program *p = m->p;
  state_start(&m->s, m->facts);
  m->s.thread_count = 1;
  m->s.threads[0].status = THREAD_LIVE;
  AbsValue any[3] = {abs_top(), abs_top(), abs_top()};
  uint32_t count = vec_at(&p->functions, p->main)->param_count;
  Outcome out = il_call_enter(m, 0, p->main, any, count < 3 ? count : 3, FRAME_BOTTOM, 0);
  /* constructors lie on top of main: the first one is the innermost frame */
  for (uint32_t i = p->constructors.len; i-- > 1 && out == OUTCOME_NEXT;)
    out =
        il_call_enter(m, 0, p->constructors.data[i].function, NULL, 0, FRAME_STARTUP, 0);
  return out;
}

/* ---- which edge ---- */

/* The edges out of the node that can be taken now. */
static Outcome pick_edge(Machine *m, NodeId node, EdgeId *ret_edge) {
  const Program *p = m->p;
  EdgeId first = node_first_edge(p, node), end = node_end_edge(p, node);
  *ret_edge = first;
  const Edge *head = program_edge(p, first);
  if (head->op != OP_ASSUME && head->op != OP_GOTO && end - first == 1)
    return OUTCOME_NEXT;
  unsigned possible = 0;
  bool sure = false;
  VEC(EdgeId) options = {0};
  for (EdgeId id = first; id < end; id++) {
    const Edge *e = program_edge(p, id);
    int truth = -1;
    if (e->op == OP_ASSUME && !(e->flags & EDGE_DEFAULT)) {
      truth = abs_truth(il_eval(m, e->a));
    } else if (e->op == OP_GOTO) {
      AbsValue v = il_eval(m, e->a);
      if (!abs_is_top(v)) truth = abs_tag(v) == ABS_LABEL && abs_id(v) == e->aux;
    }
    sure = sure || (e->op == OP_ASSUME && truth == 1);
    if (truth) vec_push(&options, id);
  }
  uint32_t kept = 0;
  for (uint32_t i = 0; i < options.len; i++)
    if (!sure || !(program_edge(p, options.data[i])->flags & EDGE_DEFAULT))
      options.data[kept++] = options.data[i];
  possible = kept;
  int choice = possible ? machine_choose(m, possible) : 0;
  if (possible && choice >= 0) *ret_edge = options.data[choice];
  vec_free(&options);
  if (!possible) return OUTCOME_HALT;
  if (choice < 0) return OUTCOME_PAUSE;
  const Edge *e = program_edge(p, *ret_edge);
  LocalId local;
  AbsValue value;
  if (e->op == OP_ASSUME && !(e->flags & EDGE_DEFAULT) &&
      abs_truth(il_eval(m, e->a)) < 0 && abs_learn(p, e->a, &local, &value))
    il_local_set(m, local, value); /* worth keeping */
  return OUTCOME_NEXT;
}

/* ---- what others can notice ---- */

static bool is_atomic_function(const Machine *m, const Edge *e) {
  const Expr *callee = program_expr(m->p, e->a);
  return callee->kind != EXPR_FUNC ||
         (vec_at(&m->p->functions, (FuncId)callee->data)->flags & FUNCTION_ATOMIC);
}

static bool is_visible(const Machine *m, const AbsThread *t, const Edge *e) {
  switch ((OpKind)e->op) {
  case OP_LOAD:
  case OP_STORE: return e->order != ORDER_NONE;
  case OP_FENCE: return machine_is_weak(m) && e->order == ORDER_SEQ_CST;
  case OP_CANCEL_POINT: return m->facts->cancels;
  case OP_RMW:
  case OP_CMPXCHG:
  case OP_CREATE:
  case OP_JOIN:
  case OP_DETACH:
  case OP_EXIT_THREAD:
  case OP_CANCEL:
  case OPS_LOCK:
  case OP_WAIT:
  case OPS_BARRIER:
  case OPS_SEM:
  case OP_ONCE:
  case OPS_USER:
  case OPS_SECTION:
  case OP_EXIT: return true;
  case OP_RETURN: {
    const ThreadFrame *f = vec_last(&t->frames);
    return f->kind == FRAME_BOTTOM || f->kind == FRAME_ONCE ||
           (vec_at(&m->p->functions, f->function)->flags & FUNCTION_ATOMIC);
  }
  case OP_COND_INIT:
  case OP_SIGNAL:
  case OP_BROADCAST:
  case OP_COND_DESTROY: return m->options.deadlocks;
  case OP_CALL: return is_atomic_function(m, e);
  case OPS_MOVE:
  case OPS_SET:
  case OP_UNREACHABLE:
  case OPS_BULK:
  case OPS_STACK:
  case OPS_VA:
  case OP_SELF:
  case OP_ASSERT: break;
  }
  return false;
}

/* The lock is the thread's own, and nobody looks whether it is. */
static bool releases_own(Machine *m, const Edge *e) {
  AbsValue lock = il_eval(m, e->a);
  if (m->facts->has_try || m->options.unlock_any || e->lock == LOCK_RW ||
      abs_tag(lock) != ABS_INSTANCE)
    return false;
  for (uint32_t i = 0; i < m->s.syncs.len; i++) {
    const Sync *y = &m->s.syncs.data[i];
    if (y->instance == abs_id(lock) && y->offset == lock.num && y->kind == SYNC_LOCK)
      return y->owner == m->t + 1;
  }
  return false;
}

bool machine_is_local(Machine *m, uint32_t thread) {
  const AbsThread *t = &m->s.threads[thread];
  if (t->status != THREAD_LIVE || t->phase == PHASE_ASLEEP) return false;
  const ThreadFrame *f = vec_last(&t->frames);
  const Edge *e = program_edge(m->p, node_first_edge(m->p, f->node));
  if (t->phase != PHASE_START) return e->op == OP_BARRIER_WAIT; /* it only leaves */
  if (!is_visible(m, t, e) || e->op == OP_CREATE) return true;
  m->t = thread;
  il_eval_forget(m);
  if (e->op == OP_UNLOCK) return releases_own(m, e);
  if (e->op == OP_EXIT_THREAD) return !m->facts->has_try;
  if (e->op == OP_RETURN)
    return f->kind == FRAME_BOTTOM && thread != 0 && !m->facts->has_try &&
           !(vec_at(&m->p->functions, f->function)->flags & FUNCTION_ATOMIC);
  if (e->op != OP_JOIN || e->attempt != ATTEMPT_BLOCK || m->facts->cancels) return false;
  AbsValue id = il_eval(m, e->a);
  return abs_tag(id) == ABS_THREAD && m->s.threads[abs_id(id)].status == THREAD_ENDED;
}

/* ---- one edge ---- */

static Outcome move_on(Machine *m, const Edge *e) {
  if (!e->to) return OUTCOME_HALT;
  il_frame_top(m)->node = e->to;
  return OUTCOME_NEXT;
}

static Outcome step_memory(Machine *m, const Edge *e) {
  AbsValue v = il_eval(m, e->a);
  Outcome out = il_split(m, e->a, &v);
  if (out != OUTCOME_NEXT) return out;
  switch ((OpKind)e->op) {
  case OP_LOAD:
    out = il_memory_load(m, e->a, e->size, ACCESS_READ, &v);
    if (out == OUTCOME_NEXT) il_local_set(m, e->dst, v);
    break;
  case OP_STORE:
    out = il_memory_store(m, e->a, e->size, ACCESS_WRITE, il_eval(m, e->b));
    break;
  case OP_COPY: out = il_memory_copy(m, e->a, e->b, il_eval(m, e->c)); break;
  case OP_FILL: out = il_memory_fill(m, e->a, il_eval(m, e->b), il_eval(m, e->c)); break;
  case OPS_CONTROL:
  case OP_RMW:
  case OP_CMPXCHG:
  case OP_FENCE:
  case OPS_STACK:
  case OPS_VA:
  case OPS_THREAD:
  case OPS_SYNC:
  case OP_ASSERT:
  case OP_EXIT:
    return il_give_up(m, "the operation %s is not known", op_text((OpKind)e->op));
  }
  return out == OUTCOME_NEXT ? move_on(m, e) : out;
}

static Outcome step_stack(Machine *m, const Edge *e) {
  ThreadFrame *f = il_frame_top(m);
  uint32_t frame = m->s.threads[m->t].frames.len - 1;
  if (e->op == OP_ALLOCA) {
    AbsValue bytes = il_eval(m, e->a);
    uint32_t size = abs_is_number(bytes) && bytes.num && bytes.num < SIZE_UNKNOWN
                        ? (uint32_t)bytes.num
                        : SIZE_UNKNOWN;
    uint32_t made = il_instance_new(m, e->aux, size, DEFAULT_TOP);
    m->s.instances.data[made].owner = (uint8_t)(m->t + 1);
    m->s.instances.data[made].frame = frame;
    f->allocas++;
    il_local_set(m, e->dst, abs_make(ABS_INSTANCE, made, 0));
    return move_on(m, e);
  }
  if (e->op == OP_STACK_SAVE) {
    il_local_set(m, e->dst, abs_number(f->allocas));
    return move_on(m, e);
  }
  AbsValue token = il_eval(m, e->a);
  uint32_t keep =
      abs_is_number(token) && token.num < f->allocas ? (uint32_t)token.num : f->allocas;
  uint32_t drop = f->allocas - keep;
  for (uint32_t i = m->s.instances.len; i-- > m->facts->static_count && drop;) {
    const Instance *x = &m->s.instances.data[i];
    if (x->dead || x->owner != m->t + 1 || x->frame != frame ||
        !(vec_at(&m->p->objects, x->object)->flags & OBJECT_DYNAMIC))
      continue;
    Outcome out = il_memory_end(m, i);
    if (out != OUTCOME_NEXT) return out;
    drop--;
  }
  f->allocas = keep;
  return move_on(m, e);
}

/* va_list: what the list yields is TOP, and addresses among the arguments are hidden. */
static Outcome step_varargs(Machine *m, const Edge *e) {
  OpAccess list[OP_ACCESS_MAX];
  uint32_t n = op_accesses(m->p, e, list);
  if (e->op != OP_VA_END) m->s.lost = true;
  for (uint32_t i = 0; i < n; i++) {
    AbsValue old;
    Outcome out =
        list[i].kind & OP_WRITES
            ? il_memory_store(m, list[i].address, list[i].size, ACCESS_WRITE, abs_top())
            : il_memory_load(m, list[i].address, list[i].size, ACCESS_READ, &old);
    if (out != OUTCOME_NEXT) return out;
  }
  return move_on(m, e);
}

/* Deadlines and attributes, which the library reads when the call begins. */
static Outcome read_operands(Machine *m, const Edge *e) {
  OpAccess list[OP_ACCESS_MAX];
  uint32_t n = m->s.threads[m->t].phase == PHASE_START ? op_accesses(m->p, e, list) : 0;
  for (uint32_t i = 0; i < n; i++) {
    AbsValue old;
    if ((list[i].kind & (OP_OBJECT | OP_WRITES))) continue;
    Outcome out = il_memory_load(m, list[i].address, list[i].size, ACCESS_READ, &old);
    if (out != OUTCOME_NEXT) return out;
  }
  return OUTCOME_NEXT;
}

static void note_failure(Machine *m, uint64_t how) {
  uint64_t *known = map_at(&m->failed, m->edge);
  if (*known >= how) return;
  *known = how;
  vec_push(&m->failing, m->edge);
}

static Outcome step_edge(Machine *m, EdgeId id) {
  const Edge *e = program_edge(m->p, id);
  m->edge = id;
  switch ((OpKind)e->op) {
  case OP_NOP:
  case OP_ASSUME:
  case OP_GOTO: return move_on(m, e);
  case OP_ASSIGN: {
    AbsValue v = il_eval(m, e->a);
    Outcome out = il_split(m, e->a, &v);
    if (out == OUTCOME_NEXT) out = il_split_few(m, e->a, &v);
    if (out != OUTCOME_NEXT) return out;
    il_local_set(m, e->dst, v);
    return move_on(m, e);
  }
  case OP_HAVOC: il_local_set(m, e->dst, abs_top()); return move_on(m, e);
  case OP_CALL: return il_call_step(m, e);
  case OP_RETURN: {
    AbsValue v = e->a ? il_eval(m, e->a) : abs_top();
    Outcome out = il_split(m, e->a, &v);
    return out == OUTCOME_NEXT ? il_call_return(m, v) : out;
  }
  case OP_UNREACHABLE: return OUTCOME_HALT;
  case OP_LOAD:
  case OP_STORE: return e->order == ORDER_NONE ? step_memory(m, e) : il_atomic_step(m, e);
  case OP_COPY:
  case OP_FILL: return step_memory(m, e);
  case OP_RMW:
  case OP_CMPXCHG: return il_atomic_step(m, e);
  case OP_FENCE: {
    Outcome out = OUTCOME_NEXT;
    if (machine_is_weak(m))
      out = il_weak_fence(m, e);
    else
      m->several = true; /* it orders nothing here: never more than it does */
    return out == OUTCOME_NEXT ? move_on(m, e) : out;
  }
  case OP_ALLOCA:
  case OP_STACK_SAVE:
  case OP_STACK_RESTORE: return step_stack(m, e);
  case OP_VA_START:
  case OP_VA_COPY:
  case OP_VA_END: return step_varargs(m, e);
  case OP_ASSERT: {
    int truth = abs_truth(il_eval(m, e->a));
    if (truth != 1) note_failure(m, truth == 0 ? FAILS_SURELY : FAILS_PERHAPS);
    return truth == 0 ? OUTCOME_HALT : move_on(m, e);
  }
  case OP_EXIT: return OUTCOME_EXIT;
  case OP_CREATE: return il_thread_create(m, e);
  case OP_EXIT_THREAD: return il_thread_exit(m, e->a ? il_eval(m, e->a) : abs_number(0));
  case OP_SELF:
    il_local_set(m, e->dst,
                 m->s.threads[m->t].crowd ? abs_top() : abs_make(ABS_THREAD, m->t, 0));
    return move_on(m, e);
  case OP_JOIN:
  case OP_DETACH:
  case OPS_CANCEL:
  case OPS_SYNC: break;
  }
  Outcome out = read_operands(m, e);
  return out == OUTCOME_NEXT ? il_sync_step(m, e) : out;
}

/* No execution goes on after this edge, the n-th of the step. What came before it in the
 * step stays, and so do the accesses of a call that never returns. Nobody else moves any
 * more where the thread is in the atomic section. */
static Outcome stop(Machine *m, uint32_t n) {
  AbsThread *t = &m->s.threads[m->t];
  bool acted = n || (m->edge && program_edge(m->p, m->edge)->op == OP_CALL);
  if (!acted || t->section || m->s.section_owner == m->t + 1) return OUTCOME_PRUNED;
  t->status = THREAD_STOPPED;
  t->phase = PHASE_START;
  t->result = abs_top();
  vec_clear(&t->frames);
  vec_clear(&t->regs);
  return OUTCOME_STOPPED;
}

static void leave_trail(Machine *m, EdgeId id, uint32_t n, uint32_t choices) {
  const AbsThread *t = &m->s.threads[m->t];
  const Edge *e = program_edge(m->p, id);
  bool visible = !n && t->phase == PHASE_START && is_visible(m, t, e);
  bool guessed = m->choice_count > choices && e->op == OP_ASSUME;
  vec_push(&m->trail, ((TrailEdge){id, visible, guessed}));
}

Outcome machine_step(Machine *m, uint32_t thread) {
  m->t = thread;
  m->edge = 0;
  m->choice_count = 0;
  vec_clear(&m->trail);
  vec_clear(&m->failing);
  m->guessed = m->idle = false;
  m->wait = (Wait){0};
  AbsThread *t = &m->s.threads[thread];
  for (uint32_t n = 0; n < STEP_LIMIT; n++) {
    if (t->status != THREAD_LIVE) return OUTCOME_DONE;
    NodeId node = vec_last(&t->frames)->node;
    if (n && is_visible(m, t, program_edge(m->p, node_first_edge(m->p, node))))
      return OUTCOME_DONE;
    EdgeId edge;
    uint32_t choices = m->choice_count;
    il_eval_forget(m);
    Outcome out = pick_edge(m, node, &edge);
    if (out == OUTCOME_NEXT) {
      il_eval_forget(m);
      if (m->keeps_trail) leave_trail(m, edge, n, choices);
      out = step_edge(m, edge);
    }
    if (m->strange) return il_give_up(m, "addresses of different objects are subtracted");
    if (out == OUTCOME_PAUSE)
      return n ? OUTCOME_DONE : il_give_up(m, "too many ways to go on");
    if (out == OUTCOME_HALT) return stop(m, n);
    if (out != OUTCOME_NEXT) return out;
  }
  return OUTCOME_DONE;
}
