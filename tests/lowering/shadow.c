/* See shadow.h. */
#include "shadow.h"

/* ---- objects ---- */

static uint32_t word_at(const Exec *exec, uint64_t address) {
  uint32_t word = 0;
  if (memory_may_read(&exec->memory, address, sizeof word))
    memcpy(&word, exec->memory.bytes + address, sizeof word);
  return word;
}

static ShadowObject *object_at(Shadow *s, uint64_t address, SyncKind kind) {
  ShadowObject *spare = NULL;
  for (uint32_t i = 0; i < s->objects.len; i++) {
    ShadowObject *o = &s->objects.data[i];
    if (o->kind == kind && o->address == address) return o;
    if (o->kind == SYNC_NONE) spare = o;
  }
  if (!spare) {
    vec_push(&s->objects, (ShadowObject){0});
    spare = vec_last(&s->objects);
  }
  memset(spare, 0, sizeof *spare);
  spare->address = address;
  spare->kind = (uint8_t)kind;
  if (kind == SYNC_SEM)
    spare->ghost[GHOST_VALUE] = word_at(s->exec, address + SEM_VALUE_OFFSET);
  return spare;
}

static ShadowObject *object_of(Shadow *s, LowerWhose whose) {
  if (whose == OF_LOCK) return object_at(s, s->lock, SYNC_LOCK);
  return object_at(s, s->a, op_sync_kind((OpKind)s->edge->op));
}

/* A mutex that no call initialised is of the type that its bytes say when it is free. */
static void find_type(Shadow *s, LowerWhose whose, ShadowObject *o) {
  LockKind kind = whose == OF_LOCK ? LOCK_MUTEX : (LockKind)s->edge->lock;
  if (o->kind != SYNC_LOCK || o->typed || o->ghost[GHOST_OWNER]) return;
  o->ghost[GHOST_TYPE] = lock_type_of_init(
      kind, kind == LOCK_MUTEX ? word_at(s->exec, o->address + MUTEX_KIND_OFFSET) : 0);
}

/* ---- threads ---- */

static int64_t get_of_thread(const Shadow *s, uint32_t number, Ghost ghost) {
  const ExecThread *t = exec_thread(s->exec, number);
  if (!t) return 0;
  switch (ghost) {
  case GHOST_KNOWN: return 1;
  case GHOST_ENDED: return t->state == THREAD_ENDED;
  case GHOST_DETACHED: return s->threads[number].detached;
  case GHOST_JOINED: return s->threads[number].joined;
  case GHOST_CANCEL: return thread_cancel_pending(t);
  default: return 0;
  }
}

/* ---- the machine of the rows ---- */

static int64_t get(void *data, LowerWhose whose, Ghost ghost) {
  Shadow *s = data;
  if (whose == OF_SELF) return get_of_thread(s, s->self, ghost);
  if (whose == OF_THREAD) return get_of_thread(s, s->named, ghost);
  if (whose == OF_SECTION) return s->section[ghost == GHOST_COUNT];
  ShadowObject *o = object_of(s, whose);
  find_type(s, whose, o);
  if (ghost == GHOST_READS) return o->reads[s->self];
  if (ghost == GHOST_DONE) return word_at(s->exec, o->address) == ONCE_DONE;
  return o->ghost[ghost];
}

static void set(void *data, LowerWhose whose, Ghost ghost, int64_t value) {
  Shadow *s = data;
  if (whose == OF_SECTION) {
    s->section[ghost == GHOST_COUNT] = value;
  } else if (whose == OF_THREAD) {
    ShadowThread *t = &s->threads[s->named];
    if (ghost == GHOST_DETACHED) t->detached = value;
    if (ghost == GHOST_JOINED) t->joined = value;
  } else if (whose != OF_SELF) {
    ShadowObject *o = object_of(s, whose);
    if (ghost == GHOST_ALL)
      o->kind = SYNC_NONE;
    else if (ghost == GHOST_READS)
      o->reads[s->self] = (uint16_t)value;
    else
      o->ghost[ghost] = value;
    o->typed = o->typed || ghost == GHOST_TYPE;
  }
}

/* The kind that a LOCK_INIT asks for: a number, or where an attribute is. */
static uint32_t kind_of_init(const Shadow *s) {
  const Edge *e = s->edge;
  if (!e->b) return 0;
  ExecThread *t = exec_thread(s->exec, s->self);
  uint64_t value = eval_peek_small(s->exec, t, e->b, 0);
  bool attribute = program_expr(s->exec->program, e->b)->sort == SORT_PTR;
  return attribute ? (value ? word_at(s->exec, value) : 0) : (uint32_t)value;
}

static int64_t term(void *data, LowerTerm term) {
  const Shadow *s = data;
  switch (term) {
  case TERM_SELF: return s->self;
  case TERM_THREAD: return s->named;
  case TERM_OPERAND: return s->operand;
  case TERM_TYPE: return lock_type_of_init((LockKind)s->edge->lock, s->kind);
  case TERM_ROBUST:
    return s->edge->lock == LOCK_MUTEX && mutex_kind_is_robust(s->kind) ? ROBUST_WELL
                                                                        : ROBUST_NOT;
  case TERM_NUMBER:
  case TERM_SIZE: break;
  }
  return 0;
}

const LowerMachine shadow_machine = {get, set, term};

/* ---- steps ---- */

void shadow_look(Shadow *s, uint32_t self, EdgeId edge) {
  ExecThread *t = exec_thread(s->exec, self);
  s->self = self;
  s->edge = program_edge(s->exec->program, edge);
  s->a = s->edge->a ? eval_peek_small(s->exec, t, s->edge->a, 0) : 0;
  s->lock = s->edge->op == OP_WAIT ? eval_peek_small(s->exec, t, s->edge->b, 0) : 0;
  s->named = exec_next_thread(s->exec, self, edge);
  bool inits = op_has(s->edge->op, OP_INITS) && s->edge->b;
  s->operand = inits ? (uint32_t)eval_peek_small(s->exec, t, s->edge->b, 0) : 0;
  s->kind = s->edge->op == OP_LOCK_INIT ? kind_of_init(s) : 0;
}

void shadow_look_again(Shadow *s, uint32_t self) {
  const ShadowThread *t = &s->threads[self];
  s->self = self;
  s->edge = program_edge(s->exec->program, t->edge);
  s->a = t->a;
  s->lock = t->lock;
  s->named = t->joins;
}

static bool is_ready(const Shadow *s, uint32_t number) {
  return exec_thread(s->exec, number)->state == THREAD_READY;
}

static bool sleeps_at(const Shadow *s, uint32_t number, uint64_t address, SyncKind kind) {
  const ShadowThread *t = &s->threads[number];
  if (t->phase != LOWER_SLEEPS) return false;
  return t->a == address &&
         op_sync_kind((OpKind)program_edge(s->exec->program, t->edge)->op) == kind;
}

static bool wake_one(Shadow *s, uint32_t waiter) {
  for (uint32_t i = 1; i < SHADOW_THREADS; i++) {
    if (!sleeps_at(s, i, s->a, SYNC_COND) || (waiter && waiter != i) || !is_ready(s, i))
      continue;
    s->threads[i].phase = LOWER_WOKEN;
    return true;
  }
  return false;
}

static void retry(Shadow *s, uint64_t address, SyncKind kind) {
  for (uint32_t i = 1; i < SHADOW_THREADS; i++)
    if (sleeps_at(s, i, address, kind)) s->threads[i].phase = LOWER_START;
}

/* A cancellation ends sleep, but no wait for a lock or at a barrier. */
static void wake_cancelled(Shadow *s) {
  ShadowThread *t = &s->threads[s->named];
  const Edge *e = program_edge(s->exec->program, t->edge);
  if (t->phase != LOWER_SLEEPS || !op_has(e->op, OP_CANCELLED) ||
      !get_of_thread(s, s->named, GHOST_CANCEL))
    return;
  t->phase = e->op == OP_WAIT ? LOWER_WOKEN : LOWER_START;
  if (e->op == OP_WAIT) object_at(s, t->a, SYNC_COND)->ghost[GHOST_WAITERS]--;
}

bool shadow_wake(Shadow *s, const LowerRow *row, uint32_t waiter) {
  SyncKind kind = op_sync_kind((OpKind)s->edge->op);
  switch ((LowerWake)row->wake) {
  case WAKE_NONE: break;
  case WAKE_ONE: return wake_one(s, waiter);
  case WAKE_ALL:
    for (uint32_t i = 1; i < SHADOW_THREADS; i++)
      if (sleeps_at(s, i, s->a, kind)) s->threads[i].phase = LOWER_WOKEN;
    break;
  case WAKE_RETRY: retry(s, s->a, kind); break;
  case WAKE_RETRY_LOCK: retry(s, s->lock, SYNC_LOCK); break;
  case WAKE_CANCEL:
    if (s->named) wake_cancelled(s);
    break;
  }
  return true;
}

/* ---- beside the rows ---- */

static void thread_ended(Shadow *s, uint32_t number) {
  s->threads[number].ended = true;
  vec_clear(&s->threads[number].once_edges);
  vec_clear(&s->threads[number].once_flags);
  for (uint32_t i = 1; i < SHADOW_THREADS; i++) {
    const ShadowThread *t = &s->threads[i];
    if (t->phase == LOWER_SLEEPS && t->joins == number) s->threads[i].phase = LOWER_START;
  }
  for (uint32_t i = 0; i < s->objects.len; i++) {
    ShadowObject *o = &s->objects.data[i];
    if (o->kind != SYNC_LOCK || o->ghost[GHOST_ROBUST] == ROBUST_NOT ||
        o->ghost[GHOST_OWNER] != number)
      continue;
    o->ghost[GHOST_ROBUST] = ROBUST_OWNER_DEAD;
    o->ghost[GHOST_OWNER] = o->ghost[GHOST_COUNT] = 0;
    retry(s, o->address, SYNC_LOCK);
  }
}

void shadow_catch_up(Shadow *s) {
  for (uint32_t i = 1; i <= s->exec->threads.len && i < SHADOW_THREADS; i++)
    if (exec_thread(s->exec, i)->state == THREAD_ENDED && !s->threads[i].ended)
      thread_ended(s, i);
  for (uint32_t i = 0; i < s->objects.len; i++) {
    ShadowObject *o = &s->objects.data[i];
    if (o->kind == SYNC_NONE) continue;
    const Sync *y = sync_find(s->exec, o->address, (SyncKind)o->kind);
    if (!y) {
      o->kind = SYNC_NONE; /* its memory died, or nobody has used it */
    } else if (o->kind == SYNC_LOCK && y->robust == ROBUST_WELL &&
               o->ghost[GHOST_ROBUST] == ROBUST_UNREPAIRED) {
      o->ghost[GHOST_ROBUST] = ROBUST_WELL; /* pthread_mutex_consistent */
    }
  }
}

void shadow_free(Shadow *s) {
  vec_free(&s->objects);
  for (uint32_t i = 0; i < SHADOW_THREADS; i++) {
    vec_free(&s->threads[i].once_edges);
    vec_free(&s->threads[i].once_flags);
  }
}
