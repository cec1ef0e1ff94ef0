/* Transitions of locks, conditions, semaphores, barriers, one-time initialisers, atomic
 * sections, and of the beginning and end of threads. */
#include "engine/petri/visible.h"

#include "model/refusal.h"

enum { DEEPEST_HOLD = 16 };

/* One outcome of an operation: from the state, with what was taken and given, on behind
 * the edge with this result. `next` is changed. */
static StepResult leave(Translation *t, uint32_t state, LocalState *next, const Edge *e,
                        ResultKind result, NetStep how) {
  EdgeId edge = t->edge;
  StepResult out = sync_objects_finish(t, next, e, result);
  if (out == STEP_ON) out = translate_step(t, state, next, how);
  t->edge = edge;
  return out;
}

static void begin(Translation *t, LocalState *next, const LocalState *s) {
  vec_clear(&t->taken);
  vec_clear(&t->given);
  local_copy(next, s);
}

/* A try or a timed operation fails. */
static StepResult fail(Translation *t, uint32_t state, const LocalState *s, const Edge *e,
                       LocalState *next) {
  begin(t, next, s);
  StepResult out = leave(t, state, next, e, SYNC_FAILED, (NetStep){0});
  if (out == STEP_FAILED || !refusal_of_time(t->p, e)) return out;
  begin(t, next, s);
  return leave(t, state, next, e, SYNC_NO_TIME, (NetStep){0});
}

/* ---- locks ---- */

/* A lock that the thread holds already. */
static StepResult lock_again(Translation *t, uint32_t state, LocalState *s, const Edge *e,
                             uint32_t sync_object, LocalState *next) {
  const LocalHold *held = local_hold(s, sync_object);
  bool again = e->lock != LOCK_RW || (held->shared && e->mode == MODE_SHARED);
  if (!again || held->depth >= DEEPEST_HOLD) {
    sync_objects_blur(t, t->sync_objects.data[sync_object].object);
    return STEP_ON;
  }
  begin(t, next, s);
  local_take(next, sync_object, held->shared);
  StepResult out = leave(t, state, next, e, SYNC_OK, (NetStep){0});
  if (out == STEP_FAILED) return out;
  begin(t, next, s); /* refused: an error, or busy */
  return leave(t, state, next, e, SYNC_ANY, (NetStep){0});
}

/* The lock is free and taken, with whatever values may travel with it. */
static StepResult take_lock(Translation *t, uint32_t state, LocalState *s, const Edge *e,
                            uint32_t sync_object, bool or_fail, LocalState *next) {
  uint32_t domain = t->sync_objects.data[sync_object].domain;
  StepResult out = STEP_ON;
  for (uint32_t k = domain ? visible_ask(t, state, domain - 1) : 0;
       out != STEP_FAILED && k < (domain ? t->domains.data[domain - 1].values.len : 1);
       k++) {
    bool excess = domain && k + 1 == t->domains.data[domain - 1].excess;
    int most = !or_fail ? SYNC_OK : refusal_of_time(t->p, e) ? SYNC_NO_TIME : SYNC_FAILED;
    for (int kind = SYNC_OK; kind <= most && !excess && out != STEP_FAILED; kind++) {
      begin(t, next, s);
      local_take(next, sync_object, false);
      guarded_take(t, next, sync_object, k);
      NetStep how = {.drops = t->sync_objects.data[sync_object].rw ? sync_object + 1 : 0};
      out = leave(t, state, next, e, (ResultKind)kind, how);
    }
    if (domain) t->states.data[state].next_value = k + 1;
  }
  return out;
}

static StepResult lock(Translation *t, uint32_t state, LocalState *s, const Edge *e,
                       uint32_t sync_object, LocalState *next) {
  StepResult out = STEP_ON;
  if (e->lock == LOCK_RW) t->sync_objects.data[sync_object].rw = true;
  if (local_hold(s, sync_object)) return lock_again(t, state, s, e, sync_object, next);
  if (e->lock == LOCK_RW && t->sync_objects.data[sync_object].domain) {
    sync_objects_blur(
        t,
        t->sync_objects.data[sync_object].object); /* readers have no place for values */
    return STEP_ON;
  }
  if (e->mode == MODE_SHARED) {
    begin(t, next, s);
    translate_take(t, RESOURCE_SYNC_OBJECT, sync_object, SYNC_OBJECT_FREE, 1);
    translate_give(t, RESOURCE_SYNC_OBJECT, sync_object, SYNC_OBJECT_FREE, 1);
    local_take(next, sync_object, true);
    out = leave(t, state, next, e, SYNC_OK, (NetStep){0});
  } else {
    out = take_lock(t, state, s, e, sync_object, false, next);
  }
  if (out == STEP_FAILED || e->attempt == ATTEMPT_BLOCK) return out;
  return fail(t, state, s, e, next);
}

static StepResult unlock(Translation *t, uint32_t state, LocalState *s, const Edge *e,
                         uint32_t sync_object, LocalState *next) {
  const LocalHold *held = local_hold(s, sync_object);
  if (!held && e->lock == LOCK_RW) { /* whose hold ends cannot be said */
    sync_objects_blur(t, t->sync_objects.data[sync_object].object);
    return STEP_ON;
  }
  begin(t, next, s);
  if (!held)
    guarded_give_any(t, sync_object);
  else if (held->depth == 1 && !held->shared)
    guarded_give(t, next, sync_object);
  local_release(next, sync_object);
  return leave(t, state, next, e, held ? SYNC_OK : SYNC_ANY, (NetStep){0});
}

/* Given back, and taken again at any later time: signals need not be followed. */
static StepResult wait(Translation *t, uint32_t state, LocalState *s, const Edge *e,
                       uint32_t sync_object, LocalState *next) {
  begin(t, next, s);
  if (s->stage == STAGE_START) {
    LocalHold *held = local_hold(next, sync_object);
    bool holds = held != NULL;
    if (held) held->depth = 1;
    local_release(next, sync_object);
    next->stage = STAGE_RELOCK;
    if (holds)
      guarded_give(t, next, sync_object);
    else
      guarded_give_any(t, sync_object);
    translate_step_to(t, state, translate_state(t, next), (NetStep){0});
    if (holds) return STEP_ON;
    begin(t, next, s); /* refused */
    return leave(t, state, next, e, SYNC_ANY, (NetStep){0});
  }
  return take_lock(t, state, s, e, sync_object, e->attempt != ATTEMPT_BLOCK, next);
}

/* ---- semaphores, barriers, once ---- */

static StepResult semaphore(Translation *t, uint32_t state, LocalState *s, const Edge *e,
                            uint32_t sync_object, LocalState *next) {
  begin(t, next, s);
  if (e->op == OP_SEM_INIT) {
    AbsValue value = local_eval(t->w, s, e->b);
    if (!abs_is_number(value) || (uint32_t)value.num > 1000000) {
      sync_objects_blur(t, t->sync_objects.data[sync_object].object);
      return STEP_ON;
    }
    if ((uint32_t)value.num)
      translate_give(t, RESOURCE_SYNC_OBJECT, sync_object, SYNC_OBJECT_FREE,
                     (uint32_t)value.num);
    return leave(t, state, next, e, SYNC_OK, (NetStep){0});
  }
  if (e->op == OP_SEM_POST) {
    translate_give(t, RESOURCE_SYNC_OBJECT, sync_object, SYNC_OBJECT_FREE, 1);
    return leave(t, state, next, e, SYNC_OK, (NetStep){0});
  }
  translate_take(t, RESOURCE_SYNC_OBJECT, sync_object, SYNC_OBJECT_FREE, 1);
  StepResult out = leave(t, state, next, e, SYNC_OK, (NetStep){0});
  if (out == STEP_FAILED || e->attempt == ATTEMPT_BLOCK) return out;
  return fail(t, state, s, e, next);
}

/* All but the last arrive and wait; the last one opens it for all that are there, one of
 * whom gets the special result. How many they are is known when everything was explored:
 * a count of 0 stands for all but one. */
static StepResult barrier(Translation *t, uint32_t state, LocalState *s, const Edge *e,
                          uint32_t sync_object, LocalState *next) {
  begin(t, next, s);
  if (s->stage == STAGE_ARRIVED) { /* moved by whoever opens it */
    next->stage = STAGE_RELEASED;
    uint32_t released = translate_state(t, next);
    t->states.data[state].barrier = sync_object + 1;
    t->states.data[state].released = released;
    return STEP_ON;
  }
  if (s->stage == STAGE_RELEASED) {
    translate_take(t, RESOURCE_SYNC_OBJECT, sync_object, SYNC_OBJECT_ORDINARY, 1);
    StepResult out = leave(t, state, next, e, SYNC_OK, (NetStep){0});
    if (out == STEP_FAILED) return out;
    begin(t, next, s);
    translate_take(t, RESOURCE_SYNC_OBJECT, sync_object, SYNC_OBJECT_SPECIAL, 1);
    return leave(t, state, next, e, SYNC_SPECIAL, (NetStep){0});
  }
  translate_take(t, RESOURCE_SYNC_OBJECT, sync_object, SYNC_OBJECT_ROOM, 1);
  translate_give(t, RESOURCE_SYNC_OBJECT, sync_object, SYNC_OBJECT_ARRIVED, 1);
  next->stage = STAGE_ARRIVED;
  translate_step_to(t, state, translate_state(t, next), (NetStep){0});
  begin(t, next, s);
  translate_take(t, RESOURCE_SYNC_OBJECT, sync_object, SYNC_OBJECT_ARRIVED, 0);
  translate_give(t, RESOURCE_SYNC_OBJECT, sync_object, SYNC_OBJECT_ROOM, 0);
  translate_give(t, RESOURCE_SYNC_OBJECT, sync_object, SYNC_OBJECT_ORDINARY, 0);
  translate_give(t, RESOURCE_SYNC_OBJECT, sync_object, SYNC_OBJECT_SPECIAL, 1);
  next->stage = STAGE_RELEASED;
  translate_step_to(t, state, translate_state(t, next),
                    (NetStep){.opens = sync_object + 1});
  return STEP_ON;
}

static StepResult once(Translation *t, uint32_t state, LocalState *s, const Edge *e,
                       uint32_t sync_object, LocalState *next) {
  begin(t, next, s);
  translate_take(t, RESOURCE_SYNC_OBJECT, sync_object, SYNC_OBJECT_DONE, 1);
  translate_give(t, RESOURCE_SYNC_OBJECT, sync_object, SYNC_OBJECT_DONE, 1);
  StepResult out = leave(t, state, next, e, SYNC_OK, (NetStep){0});
  EdgeId edge = t->edge;
  uint32_t ways = 1;
  for (uint32_t choice = 0; choice < ways && out != STEP_FAILED; choice++) {
    FuncId function = 0;
    begin(t, next, s);
    t->choice = choice;
    out = calls_callee(t, next, e->b, &function);
    ways = t->ways;
    if (out == STEP_ON) out = calls_enter(t, next, function, NULL, 0, CALL_ONCE, edge);
    if (out != STEP_ON) continue;
    local_top(next)->once = sync_object + 1;
    translate_take(t, RESOURCE_SYNC_OBJECT, sync_object, SYNC_OBJECT_FREE, 1);
    out = translate_step(t, state, next, (NetStep){0});
    t->edge = edge;
  }
  return out;
}

/* ---- threads ---- */

static StepResult create(Translation *t, uint32_t state, LocalState *s, const Edge *e,
                         LocalState *next) {
  StepResult out = STEP_ON;
  uint32_t ways = 1;
  EdgeId edge = t->edge;
  for (uint32_t choice = 0; choice < ways && out != STEP_FAILED; choice++) {
    FuncId entry = 0;
    LocalState child = {0};
    begin(t, next, s);
    t->choice = choice;
    out = calls_callee(t, next, e->b, &entry);
    ways = t->ways;
    if (out != STEP_ON) continue;
    if (vec_at(&t->p->functions, entry)->flags & FUNCTION_ATOMIC)
      return translate_fail(t, "a thread is one atomic section");
    AbsValue argument = e->c ? local_eval(t->w, next, e->c) : abs_number(0);
    uint32_t template = translate_template(t, edge, entry, argument);
    argument = t->templates.data[template].argument;
    child.template = template;
    out = calls_enter(t, &child, entry, &argument, 1, CALL_BOTTOM, 0);
    if (out == STEP_ON) {
      uint32_t first = translate_state(t, &child);
      t->templates.data[template].state = first;
      translate_give(t, RESOURCE_STATE, first, 0, 1);
      next->stage = STAGE_STORE;
      next->child = template + 1;
      translate_step_to(t, state, translate_state(t, next), (NetStep){.spawns = true});
    }
    local_free(&child);
  }
  return out;
}

/* Which thread is joined must be known; otherwise nothing is waited for. */
static StepResult join(Translation *t, uint32_t state, LocalState *s, const Edge *e,
                       LocalState *next) {
  AbsValue id = local_eval(t->w, s, e->a);
  begin(t, next, s);
  if (abs_tag(id) == ABS_THREAD) translate_take(t, RESOURCE_ENDED, abs_id(id), 0, 1);
  next->stage = STAGE_STORE;
  translate_step_to(t, state, translate_state(t, next), (NetStep){0});
  if (e->attempt == ATTEMPT_BLOCK) return STEP_ON;
  return fail(t, state, s, e, next);
}

/* Whatever the thread still holds is given back: that is more than may happen. */
static StepResult end_thread(Translation *t, uint32_t state, LocalState *s,
                             LocalState *next) {
  for (uint32_t i = 0; i < s->frames.len; i++)
    if (s->frames.data[i].kind == CALL_ONCE)
      return translate_fail(t, "a thread ends inside of a one-time initialiser");
  begin(t, next, s);
  for (uint32_t i = 0; i < s->holds.len; i++)
    if (!s->holds.data[i].shared) guarded_give(t, next, s->holds.data[i].sync);
  if (s->section)
    translate_give(t, RESOURCE_SYNC_OBJECT, sync_objects_section(t), SYNC_OBJECT_FREE, 1);
  translate_give(t, RESOURCE_ENDED, s->template, 0, 1);
  translate_step_to(t, state, NET_NONE, (NetStep){0});
  return STEP_ON;
}

/* ---- sections ---- */

static void enter_section(Translation *t, LocalState *next) {
  if (!next->section++)
    translate_take(t, RESOURCE_SYNC_OBJECT, sync_objects_section(t), SYNC_OBJECT_FREE, 1);
}

static void leave_section(Translation *t, LocalState *next) {
  if (next->section && !--next->section)
    translate_give(t, RESOURCE_SYNC_OBJECT, sync_objects_section(t), SYNC_OBJECT_FREE, 1);
}

static StepResult section(Translation *t, uint32_t state, LocalState *s, const Edge *e,
                          LocalState *next) {
  enum { DEEPEST = 16 };
  if (s->section >= DEEPEST) return translate_fail(t, "sections are nested too deeply");
  begin(t, next, s);
  if (e->op == OP_ATOMIC_BEGIN)
    enter_section(t, next);
  else
    leave_section(t, next);
  return leave(t, state, next, e, SYNC_OK, (NetStep){0});
}

/* Every function that may be called, those that are atomic in a section of their own. */
static StepResult call_atomic(Translation *t, uint32_t state, LocalState *s,
                              const Edge *e, LocalState *next) {
  StepResult out = STEP_ON;
  EdgeId edge = t->edge;
  uint32_t ways = 1;
  for (uint32_t choice = 0; choice < ways && out != STEP_FAILED; choice++) {
    FuncId callee = 0;
    begin(t, next, s);
    t->choice = choice;
    out = calls_callee(t, next, e->a, &callee);
    ways = t->ways;
    if (out != STEP_ON) continue;
    bool atomic = vec_at(&t->p->functions, callee)->flags & FUNCTION_ATOMIC;
    t->choice = choice;
    out = silent_step(t, next, edge);
    if (out != STEP_ON) continue;
    if (atomic) enter_section(t, next);
    out = translate_step(t, state, next, (NetStep){0});
    t->edge = edge;
  }
  return out;
}

static StepResult return_from(Translation *t, uint32_t state, LocalState *s,
                              const Edge *e, LocalState *next) {
  LocalFrame f = *local_top(s);
  bool atomic = vec_at(&t->p->functions, f.function)->flags & FUNCTION_ATOMIC;
  EdgeId edge = t->edge;
  if (f.kind == CALL_BOTTOM) return end_thread(t, state, s, next);
  begin(t, next, s);
  if (f.kind == CALL_ONCE && f.once)
    translate_give(t, RESOURCE_SYNC_OBJECT, f.once - 1, SYNC_OBJECT_DONE, 1);
  if (atomic) leave_section(t, next);
  StepResult out = calls_return(t, next, e->a ? local_eval(t->w, next, e->a) : abs_top());
  if (out == STEP_ON) out = translate_step(t, state, next, (NetStep){0});
  t->edge = edge;
  return out;
}

/* ---- all of them ---- */

static StepResult use_thing(Translation *t, uint32_t state, LocalState *s, const Edge *e,
                            LocalState *next) {
  int sync_object;
  Family family = e->op == OP_SEM_INIT || e->op == OP_SEM_WAIT || e->op == OP_SEM_POST
                      ? FAMILY_SEMAPHORE
                  : e->op == OP_BARRIER_WAIT ? FAMILY_BARRIER
                  : e->op == OP_ONCE         ? FAMILY_ONCE
                                             : FAMILY_LOCK;
  StepResult out =
      sync_objects_find(t, s, e->op == OP_WAIT ? e->b : e->a, family, &sync_object);
  if (out != STEP_ON) return out;
  if (sync_object == SYNC_OBJECT_NONE) return visible_pass(t, state, s);
  uint32_t n = (uint32_t)sync_object;
  switch ((OpKind)e->op) {
  case OP_LOCK: return lock(t, state, s, e, n, next);
  case OP_UNLOCK: return unlock(t, state, s, e, n, next);
  case OP_WAIT: return wait(t, state, s, e, n, next);
  case OP_BARRIER_WAIT: return barrier(t, state, s, e, n, next);
  case OP_ONCE: return once(t, state, s, e, n, next);
  case OPS_SEM: return semaphore(t, state, s, e, n, next);
  case OPS_SEQUENTIAL:
  case OPS_THREAD:
  case OP_LOCK_INIT:
  case OP_LOCK_DESTROY:
  case OP_COND_INIT:
  case OPS_WAKE:
  case OP_COND_DESTROY:
  case OP_BARRIER_INIT:
  case OP_BARRIER_DESTROY:
  case OPS_USER:
  case OPS_SECTION: break;
  }
  return translate_fail(t, "the operation %s is not known", op_text((OpKind)e->op));
}

StepResult visible_expand_sync(Translation *t, uint32_t state, LocalState *s,
                               const Edge *e) {
  LocalState next = {0};
  StepResult out = STEP_ON;
  switch ((OpKind)e->op) {
  case OP_CREATE: out = create(t, state, s, e, &next); break;
  case OP_JOIN: out = join(t, state, s, e, &next); break;
  case OP_EXIT_THREAD: out = end_thread(t, state, s, &next); break;
  case OP_ATOMIC_BEGIN:
  case OP_ATOMIC_END: out = section(t, state, s, e, &next); break;
  case OP_CALL: out = call_atomic(t, state, s, e, &next); break;
  case OP_RETURN: out = return_from(t, state, s, e, &next); break;
  case OPS_LOCK:
  case OPS_COND:
  case OPS_BARRIER:
  case OPS_SEM:
  case OP_ONCE: out = use_thing(t, state, s, e, &next); break;
  case OPS_MOVE:
  case OPS_SET:
  case OP_UNREACHABLE:
  case OPS_MEMORY:
  case OP_DETACH:
  case OP_SELF:
  case OPS_CANCEL:
  case OPS_USER:
  case OP_ASSERT:
  case OP_EXIT:
    out = translate_fail(t, "the operation %s is not known", op_text((OpKind)e->op));
    break;
  }
  local_free(&next);
  return out;
}
