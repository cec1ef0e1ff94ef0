/* What a thread does without anybody noticing, and operations on objects of
 * synchronisation that are not followed: those never wait, and everything that they may
 * return is tried. */
#include "engine/petri/translate.h"

#include "model/refusal.h"

static StepResult go_on(LocalState *s, const Edge *e) {
  if (!e->to) return STEP_PRUNED;
  local_go(s, e->to);
  return STEP_ON;
}

static StepResult write_memory(Translation *t, LocalState *s, const Edge *e) {
  StepResult out = pn_memory_collect_writes(t, s, e);
  if (out != STEP_ON) return out;
  sync_objects_note_writes(t);
  guarded_note_writes(t, s, e);
  pn_memory_apply_owned(t, s);
  return STEP_ON;
}

static StepResult load(Translation *t, LocalState *s, const Edge *e) {
  int variable;
  AbsValue v;
  StepResult out = pn_memory_load(t, s, e, &variable, &v);
  if (out != STEP_ON) return out;
  local_set(t->w, s, e->dst, v);
  return go_on(s, e);
}

/* An atomic access to what is owned or not followed. */
static StepResult exchange(Translation *t, LocalState *s, const Edge *e) {
  StepResult out = write_memory(t, s, e);
  if (out != STEP_ON) return out;
  local_set(t->w, s, e->dst, abs_top());
  if (e->op == OP_CMPXCHG) local_set(t->w, s, e->dst2, abs_top());
  return go_on(s, e);
}

/* An operation that nobody waits for: it succeeds, or fails if it is one that may. */
static StepResult pass(Translation *t, LocalState *s, const Edge *e) {
  bool may_fail = e->attempt != ATTEMPT_BLOCK;
  t->ways = !may_fail ? 1 : refusal_of_time(t->p, e) ? 3 : 2;
  bool refused =
      e->op == OP_LOCK && e->attempt != ATTEMPT_TRY && (!may_fail || t->choice);
  if (refused) return sync_objects_finish(t, s, e, SYNC_ANY);
  static const ResultKind kinds[] = {SYNC_OK, SYNC_FAILED, SYNC_NO_TIME};
  return sync_objects_finish(t, s, e, kinds[t->choice]);
}

static StepResult pass_barrier(Translation *t, LocalState *s, const Edge *e) {
  t->ways = 2;
  return sync_objects_finish(t, s, e, t->choice ? SYNC_SPECIAL : SYNC_OK);
}

static StepResult barrier_init(Translation *t, LocalState *s, const Edge *e) {
  int sync_object;
  AbsValue count = local_eval(t->w, s, e->b);
  StepResult out = sync_objects_find(t, s, e->a, FAMILY_BARRIER, &sync_object);
  if (out != STEP_ON) return out;
  if (sync_object != SYNC_OBJECT_NONE) {
    SyncObject *x = &t->sync_objects.data[sync_object];
    uint32_t n = abs_is_number(count) && count.num <= NET_MOST ? (uint32_t)count.num : 0;
    if (!x->count) x->count = n;
    if (!n || x->count != n) sync_objects_blur(t, x->object);
  }
  return sync_objects_finish(t, s, e, SYNC_OK);
}

/* A one-time initialiser that is not followed runs or has run. */
static StepResult run_once(Translation *t, LocalState *s, const Edge *e) {
  FuncId function = 0;
  uint32_t choice = t->choice;
  if (choice == 0) {
    StepResult out = sync_objects_finish(t, s, e, SYNC_OK);
    t->ways = UINT32_MAX; /* the next choice says how many there are */
    return out;
  }
  t->choice = choice - 1;
  StepResult out = calls_callee(t, s, e->b, &function);
  t->choice = choice;
  t->ways = out == STEP_ON ? t->ways + 1 : choice;
  if (out != STEP_ON) return out;
  return calls_enter(t, s, function, NULL, 0, CALL_ONCE, t->edge);
}

static StepResult step_thread_op(Translation *t, LocalState *s, const Edge *e) {
  switch ((OpKind)e->op) {
  case OP_SELF: local_set(t->w, s, e->dst, abs_top()); return go_on(s, e);
  case OP_CANCEL: return translate_fail(t, "a thread is cancelled");
  case OP_CANCEL_POINT: return go_on(s, e);
  case OP_DETACH: return sync_objects_finish(t, s, e, SYNC_OK);
  case OPS_SEQUENTIAL:
  case OP_CREATE:
  case OP_JOIN:
  case OP_EXIT_THREAD:
  case OPS_SYNC: break;
  }
  return translate_fail(t, "the operation %s is not known", op_text((OpKind)e->op));
}

static StepResult step_sync_op(Translation *t, LocalState *s, const Edge *e) {
  switch ((OpKind)e->op) {
  case OP_LOCK_DESTROY:
  case OP_COND_DESTROY:
  case OP_BARRIER_DESTROY:
  case OP_UNLOCK:
  case OP_SEM_DESTROY: return sync_objects_finish(t, s, e, SYNC_ANY);
  case OP_LOCK_INIT:
  case OP_COND_INIT:
  case OP_SIGNAL:
  case OP_BROADCAST:
  case OP_RELEASE:
  case OP_ACQUIRE:
  case OP_SEM_INIT:
  case OP_SEM_POST: return sync_objects_finish(t, s, e, SYNC_OK);
  case OP_LOCK:
  case OP_WAIT:
  case OP_SEM_WAIT: return pass(t, s, e);
  case OP_BARRIER_INIT: return barrier_init(t, s, e);
  case OP_BARRIER_WAIT: return pass_barrier(t, s, e);
  case OP_SEM_VALUE: {
    StepResult out = write_memory(t, s, e);
    return out == STEP_ON ? sync_objects_finish(t, s, e, SYNC_OK) : out;
  }
  case OP_CREATE: /* STAGE_STORE: all but the id is done */
  case OP_JOIN: {
    StepResult out = pn_memory_collect_writes(t, s, e);
    if (out != STEP_ON) return out;
    if (e->op == OP_CREATE && t->writes.len)
      t->writes.data[0].value = abs_make(ABS_THREAD, s->child - 1, 0);
    sync_objects_note_writes(t);
    guarded_note_writes(t, s, e);
    pn_memory_apply_owned(t, s);
    return sync_objects_finish(t, s, e, SYNC_OK);
  }
  case OP_ONCE: return run_once(t, s, e);
  case OPS_SEQUENTIAL:
  case OP_DETACH:
  case OP_EXIT_THREAD:
  case OP_SELF:
  case OPS_CANCEL:
  case OPS_SECTION: break;
  }
  return step_thread_op(t, s, e);
}

StepResult silent_step(Translation *t, LocalState *s, EdgeId edge) {
  const Edge *e = program_edge(t->p, edge);
  t->edge = edge;
  StepResult out = STEP_ON;
  switch ((OpKind)e->op) {
  case OP_NOP:
  case OP_ASSUME:
  case OP_GOTO:
  case OP_FENCE:
  case OP_STACK_RESTORE: return go_on(s, e);
  case OP_ASSIGN:
    local_set(t->w, s, e->dst, local_eval(t->w, s, e->a));
    return go_on(s, e);
  case OP_HAVOC:
  case OP_ALLOCA:
  case OP_STACK_SAVE: local_set(t->w, s, e->dst, abs_top()); return go_on(s, e);
  case OP_CALL:
    out = pn_memory_collect_writes(t, s, e);
    if (out != STEP_ON) return out;
    sync_objects_note_writes(t);
    guarded_note_writes(t, s, e);
    return calls_step(t, s, e);
  case OP_RETURN: return calls_return(t, s, e->a ? local_eval(t->w, s, e->a) : abs_top());
  case OP_UNREACHABLE:
  case OP_EXIT: return STEP_PRUNED;
  case OP_LOAD: return load(t, s, e);
  case OP_STORE:
  case OP_COPY:
  case OP_FILL:
  case OPS_VA: out = write_memory(t, s, e); return out == STEP_ON ? go_on(s, e) : out;
  case OP_RMW:
  case OP_CMPXCHG: return exchange(t, s, e);
  case OP_ASSERT:
    return abs_truth(local_eval(t->w, s, e->a)) == 0 ? STEP_PRUNED : go_on(s, e);
  case OPS_THREAD:
  case OPS_SYNC: break;
  }
  return step_sync_op(t, s, e);
}
