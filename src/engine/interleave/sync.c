/* Locks, conditions, barriers, semaphores, once flags, and the user's own orders.
 *
 * A wait for a condition may end at any time (spurious wake-ups exist). Where only races
 * are looked for, signals therefore change nothing: that covers every execution with and
 * without them. For deadlocks they are followed, and waking up without one is possible
 * but no progress (`idle`): nobody can rely on it. Any participant may be the
 * one that a barrier chooses. What a reader of a read-write lock gives back is learnt by
 * the next writer only, as the standards promise no more. */
#include "engine/interleave/machine.h"

#include "model/refusal.h"

#include <errno.h>

enum { SEM_LIMIT = 1 << 20 };

/* ---- objects and results ---- */

int il_sync_at(Machine *m, uint32_t instance, uint32_t offset, unsigned kind) {
  State *s = &m->s;
  for (uint32_t i = 0; i < s->syncs.len; i++) {
    const Sync *y = &s->syncs.data[i];
    if (y->instance == instance && y->offset == offset && y->kind == kind) return (int)i;
  }
  if (s->syncs.len == IL_MAX_SYNCS) {
    il_give_up(m, "there are more than %d objects of synchronisation", IL_MAX_SYNCS);
    return -1;
  }
  vec_push(&s->syncs,
           (Sync){.instance = instance, .offset = offset, .kind = (uint8_t)kind});
  return (int)s->syncs.len - 1;
}

/* The object at an address; NULL after giving up. */
static Sync *object_at(Machine *m, ExprId address, SyncKind kind, uint32_t *ret_index,
                       Outcome *ret_outcome) {
  AbsValue v = il_eval(m, address);
  *ret_outcome = il_split(m, address, &v);
  if (*ret_outcome != OUTCOME_NEXT) return NULL;
  *ret_outcome = OUTCOME_GIVE_UP;
  if (abs_is_number(v) && v.num == 0) {
    *ret_outcome = OUTCOME_PRUNED;
    return NULL;
  }
  if (abs_tag(v) != ABS_INSTANCE || v.num >= SIZE_UNKNOWN) {
    il_give_up(m, "it is not known which object of synchronisation is used");
    return NULL;
  }
  if (m->s.instances.data[abs_id(v)].dead) {
    il_give_up(m, "an object of synchronisation is used after the end of its life");
    return NULL;
  }
  if (facts_is_havocked(m->facts, m->s.instances.data[abs_id(v)].object)) {
    il_give_up(m, "an object of synchronisation races");
    return NULL;
  }
  int index = il_sync_at(m, abs_id(v), (uint32_t)v.num, kind);
  if (index < 0) return NULL;
  *ret_index = (uint32_t)index;
  return &m->s.syncs.data[index];
}

static Outcome finish(Machine *m, const Edge *e, SyncReturn ret) {
  m->s.threads[m->t].phase = PHASE_START;
  if (ret.error && m->p->errno_object) {
    vec_clear(&m->places);
    MemPlace place = {il_instance_of(m, m->p->errno_object), 0, false};
    vec_push(&m->places, place);
    il_memory_write(m, 4, abs_number((uint32_t)ret.error));
  }
  if (ret.has_value)
    il_local_set(m, e->dst, abs_number((uint64_t)ret.value));
  else if (e->dst && !e->aux)
    il_local_set(m, e->dst, abs_top());
  il_frame_top(m)->node = e->to;
  return e->to ? OUTCOME_NEXT : OUTCOME_HALT;
}

Outcome il_sync_result(Machine *m, const Edge *e, SyncOutcome kind) {
  return finish(m, e, sync_return(m->p, e, kind, 0));
}

/* An error of its own number, where results are errno values. */
static Outcome error_result(Machine *m, const Edge *e, int number) {
  return finish(m, e, sync_return(m->p, e, RESULT_ERROR, number));
}

/* ---- deadlines ---- */

/* Reads a time, as data. *ret_wrong: it is none, so that whoever would wait for it gets an
 * error. */
static Outcome read_time(Machine *m, ExprId when, int *ret_wrong) {
  enum { TIME_SIZE = 16, NANOSECONDS = 8, SECOND = 1000000000 };
  AbsValue address = when ? il_eval(m, when) : abs_number(0);
  *ret_wrong = 0;
  if (abs_is_number(address) && address.num == 0) return OUTCOME_NEXT;
  Outcome out = il_memory_resolve(m, address, when);
  if (out == OUTCOME_NEXT) out = il_memory_access(m, TIME_SIZE, ACCESS_READ);
  if (out != OUTCOME_NEXT) return out;
  for (uint32_t i = 0; i < m->places.len; i++) m->places.data[i].offset += NANOSECONDS;
  AbsValue rest = il_memory_read(m, 8);
  *ret_wrong = abs_is_number(rest) ? rest.num >= SECOND : machine_choose(m, 2);
  return *ret_wrong < 0 ? OUTCOME_PAUSE : OUTCOME_NEXT;
}

/* A timed operation would have to wait. */
static Outcome give_up_in_time(Machine *m, const Edge *e, ExprId when) {
  int wrong;
  Outcome out = read_time(m, when, &wrong);
  if (out != OUTCOME_NEXT) return out;
  return wrong ? error_result(m, e, EINVAL) : il_sync_result(m, e, RESULT_TIMEOUT);
}

/* ---- locks ---- */

static bool find_type(Machine *m, LockKind kind, Sync *y) {
  if (kind == LOCK_RECURSIVE) {
    y->type = MUTEX_RECURSIVE;
  } else if (kind == LOCK_MUTEX && !y->has_type && !y->owner) {
    uint32_t size = m->s.instances.data[y->instance].size;
    AbsValue v = abs_number(0);
    if (size == SIZE_UNKNOWN ||
        (uint64_t)y->offset + MUTEX_KIND_OFFSET + MUTEX_KIND_BYTES <= size)
      v = il_memory_peek(m, y->instance, y->offset + MUTEX_KIND_OFFSET, MUTEX_KIND_BYTES);
    if (!abs_is_number(v)) {
      il_give_up(m, "the type of a mutex is not known");
      return false;
    }
    y->type = (uint8_t)mutex_type_of_kind(v.num);
  }
  return true;
}

static bool is_available(const Sync *y, LockMode mode) {
  return !y->owner && (mode == MODE_SHARED || !y->readers);
}

/* Waits until the lock is free; `event`: and for more than that. */
static Outcome block_on_lock(Machine *m, const Sync *y, LockMode mode, bool event) {
  Wait wait = {.event = event};
  if (m->options.unlock_any) return il_block(m, (Wait){.event = true});
  if (y->owner == OWNER_GONE)
    wait.gone = true;
  else if (y->owner)
    wait.holders = UINT64_C(1) << (y->owner - 1);
  if (mode != MODE_SHARED) wait.holders |= y->readers;
  return il_block(m, wait);
}

static void take(Machine *m, uint32_t index, LockMode mode, uint32_t readers) {
  Sync *y = &m->s.syncs.data[index];
  if (mode == MODE_SHARED) {
    y->readers |= UINT64_C(1) << m->t;
  } else {
    y->owner = (uint8_t)(m->t + 1);
    y->count++;
    il_happens_acquire(&m->s, m->t, readers);
  }
  il_happens_acquire(&m->s, m->t, index);
}

/* The carrier of what readers give back: the lock itself if it has no readers. */
static bool readers_of(Machine *m, const Edge *e, const Sync *y, uint32_t index,
                       uint32_t *ret_readers) {
  *ret_readers = index;
  if (e->lock != LOCK_RW) return true;
  int readers = il_sync_at(m, y->instance, y->offset, SYNC_USER);
  *ret_readers = (uint32_t)readers;
  return readers >= 0;
}

static Outcome lock(Machine *m, const Edge *e) {
  uint32_t index, readers;
  Outcome out;
  Sync *y = object_at(m, e->a, SYNC_LOCK, &index, &out);
  if (!y) return out;
  if (y->has_type == HAS_ENDED)
    return il_give_up(m, "a lock is taken that was destroyed");
  if (!find_type(m, (LockKind)e->lock, y) || !readers_of(m, e, y, index, &readers))
    return OUTCOME_GIVE_UP;
  y = &m->s.syncs.data[index];
  LockMode mode = (LockMode)e->mode;
  if (y->owner == m->t + 1) {
    if (y->type == MUTEX_RECURSIVE) {
      y->count++;
      return il_sync_result(m, e, RESULT_OK);
    }
    if (e->attempt == ATTEMPT_TRY) return il_sync_result(m, e, RESULT_BUSY);
    if (e->lock == LOCK_RW || (e->lock == LOCK_MUTEX && y->type == MUTEX_ERRORCHECK))
      return error_result(m, e, EDEADLK);
  }
  if (y->readers >> m->t & 1)
    return il_give_up(m, "a lock is taken again that is held for reading");
  if (is_available(y, mode)) {
    take(m, index, mode, readers);
    return il_sync_result(m, e, RESULT_OK);
  }
  if (e->attempt == ATTEMPT_TRY) return il_sync_result(m, e, RESULT_BUSY);
  if (e->attempt == ATTEMPT_TIMED) return give_up_in_time(m, e, e->b);
  return block_on_lock(m, y, mode, false);
}

static Outcome unlock(Machine *m, const Edge *e) {
  uint32_t index, readers;
  Outcome out;
  Sync *y = object_at(m, e->a, SYNC_LOCK, &index, &out);
  if (!y) return out;
  if (!find_type(m, (LockKind)e->lock, y) || !readers_of(m, e, y, index, &readers))
    return OUTCOME_GIVE_UP;
  y = &m->s.syncs.data[index];
  if (y->owner == m->t + 1) {
    if (--y->count == 0) {
      y->owner = 0;
      il_happens_release(&m->s, m->t, index, true);
    }
    return il_sync_result(m, e, RESULT_OK);
  }
  if (e->lock == LOCK_RW && (y->readers >> m->t & 1)) {
    y->readers &= ~(UINT64_C(1) << m->t);
    il_happens_release(&m->s, m->t, readers, true);
    return il_sync_result(m, e, RESULT_OK);
  }
  if (e->lock == LOCK_MUTEX && y->type != MUTEX_NORMAL) return error_result(m, e, EPERM);
  if (m->options.unlock_any && y->owner) {
    y->owner = 0;
    y->count = 0;
    il_happens_release(&m->s, m->t, index, true);
    return il_sync_result(m, e, RESULT_OK);
  }
  if (m->options.unlock_any && !y->readers) /* it is free: nothing happens */
    return il_sync_result(m, e, RESULT_OK);
  return il_give_up(m, "a lock is released that the thread does not hold");
}

static Outcome lock_init(Machine *m, const Edge *e) {
  uint32_t index;
  Outcome out;
  AbsValue kind = abs_number(0);
  if (e->b) {
    kind = il_eval(m, e->b);
    bool attribute = program_expr(m->p, e->b)->sort == SORT_PTR;
    if (attribute && !(abs_is_number(kind) && kind.num == 0)) {
      out = il_memory_load(m, e->b, 4, ACCESS_READ, &kind);
      if (out != OUTCOME_NEXT) return out;
    }
  }
  Sync *y = object_at(m, e->a, SYNC_LOCK, &index, &out);
  if (!y) return out;
  if (y->owner || y->readers)
    return il_give_up(m, "a lock is initialised while it is held");
  bool typed = e->lock == LOCK_MUTEX;
  uint8_t known = HAS_TYPE;
  if (typed && !abs_is_number(kind)) {
    int choice = machine_choose(m, 3); /* attributes that nothing is known of */
    if (choice < 0) return OUTCOME_PAUSE;
    kind = abs_number((uint64_t)choice);
    known = HAS_STRANGE_TYPE;
  }
  if (typed && mutex_kind_is_robust(kind.num)) return il_give_up(m, "a mutex is robust");
  y->has_type = known;
  y->count = 0;
  y->type = (uint8_t)lock_type_of_init((LockKind)e->lock, kind.num);
  il_happens_clear(&m->s, index);
  return il_sync_result(m, e, RESULT_OK);
}

static Outcome lock_destroy(Machine *m, const Edge *e) {
  uint32_t index;
  Outcome out;
  Sync *y = object_at(m, e->a, SYNC_LOCK, &index, &out);
  if (!y) return out;
  if (y->owner || y->readers) return error_result(m, e, EBUSY);
  y->has_type = HAS_ENDED;
  return il_sync_result(m, e, RESULT_OK);
}

/* ---- condition variables ---- */

/* The thread, which has given its lock back, waits to be woken. */
static Outcome enqueue(Machine *m, const Edge *e) {
  uint32_t index;
  Outcome out;
  Sync *y = object_at(m, e->a, SYNC_COND, &index, &out);
  if (!y) return out;
  y->readers |= UINT64_C(1) << m->t;
  m->s.threads[m->t].phase = PHASE_WAITING;
  return OUTCOME_DONE;
}

static Outcome wait(Machine *m, const Edge *e) {
  uint32_t index;
  Outcome out;
  AbsThread *t = &m->s.threads[m->t];
  int request = il_cancel_choose(m, t->phase == PHASE_WAITING);
  if (request < 0) return OUTCOME_PAUSE;
  if (request && t->phase == PHASE_START) return il_cancel_take_effect(m);
  Sync *y = object_at(m, e->b, SYNC_LOCK, &index, &out);
  if (!y) return out;
  if (!find_type(m, LOCK_MUTEX, y)) return OUTCOME_GIVE_UP;
  if (t->phase == PHASE_START) {
    if (y->owner != m->t + 1) {
      if (y->type != MUTEX_NORMAL) return error_result(m, e, EPERM);
      return il_give_up(m, "a condition is waited for without its mutex");
    }
    if (y->count != 1) return il_give_up(m, "a condition is waited for under two locks");
    if (e->attempt == ATTEMPT_TIMED) {
      int wrong;
      out = read_time(m, e->c, &wrong);
      if (out != OUTCOME_NEXT) return out;
      if (wrong) return error_result(m, e, EINVAL);
      y = &m->s.syncs.data[index];
    }
    y->count = 0;
    y->owner = 0;
    il_happens_release(&m->s, m->t, index, true);
    t->phase = PHASE_RELOCK;
    return m->options.deadlocks ? enqueue(m, e) : OUTCOME_DONE;
  }
  bool asleep =
      t->phase == PHASE_WAITING && e->attempt != ATTEMPT_TIMED && !il_is_cancelled(m);
  if (!is_available(y, MODE_EXCLUSIVE))
    return block_on_lock(m, y, MODE_EXCLUSIVE, asleep);
  int choice = e->attempt == ATTEMPT_TIMED ? machine_choose_freely(m, 2) : 0;
  if (choice < 0) return OUTCOME_PAUSE;
  if (t->phase == PHASE_WAITING) {
    uint32_t queue;
    Sync *waiters = object_at(m, e->a, SYNC_COND, &queue, &out);
    if (!waiters) return out;
    waiters->readers &= ~(UINT64_C(1) << m->t);
    m->idle = m->wait.event = choice == 0 && !request;
  }
  take(m, index, MODE_EXCLUSIVE, index);
  if (request) return il_cancel_take_effect(m);
  return il_sync_result(m, e, choice ? RESULT_TIMEOUT : RESULT_OK);
}

/* Wakes one waiter, any, or all. Nothing remembers a signal that nobody waits for. */
static Outcome wake(Machine *m, const Edge *e) {
  uint32_t index;
  Outcome out;
  if (!m->options.deadlocks) return il_sync_result(m, e, RESULT_OK);
  Sync *y = object_at(m, e->a, SYNC_COND, &index, &out);
  if (!y) return out;
  uint64_t woken = y->readers;
  if (e->op == OP_SIGNAL && woken) {
    int choice = machine_choose_freely(m, (unsigned)__builtin_popcountll(woken));
    if (choice < 0) return OUTCOME_PAUSE;
    while (choice--) woken &= woken - 1;
    woken &= ~(woken - 1);
  }
  y->readers &= ~woken;
  for (; woken; woken &= woken - 1)
    m->s.threads[__builtin_ctzll(woken)].phase = PHASE_RELOCK;
  return il_sync_result(m, e, RESULT_OK);
}

static Outcome renew_condition(Machine *m, const Edge *e) {
  uint32_t index;
  Outcome out;
  if (!m->options.deadlocks) return il_sync_result(m, e, RESULT_OK);
  const Sync *y = object_at(m, e->a, SYNC_COND, &index, &out);
  if (!y) return out;
  if (y->readers)
    return il_give_up(m, "a condition is initialised or destroyed while it is used");
  return il_sync_result(m, e, RESULT_OK);
}

/* ---- barriers ---- */

static Outcome barrier_init(Machine *m, const Edge *e) {
  uint32_t index;
  Outcome out;
  AbsValue count = il_eval(m, e->b);
  Sync *y = object_at(m, e->a, SYNC_BARRIER, &index, &out);
  if (!y) return out;
  if (!abs_is_number(count)) return il_give_up(m, "the size of a barrier is not known");
  if (y->readers) return il_give_up(m, "a barrier is initialised while it is used");
  if ((uint32_t)count.num == 0) return error_result(m, e, EINVAL);
  y->count = (uint32_t)count.num;
  return il_sync_result(m, e, RESULT_OK);
}

static bool wants_result(const Machine *m, uint32_t thread) {
  const ThreadFrame *f = vec_last(&m->s.threads[thread].frames);
  return program_edge(m->p, node_first_edge(m->p, f->node))->dst != 0;
}

static Outcome barrier_open(Machine *m, const Edge *e, uint32_t index) {
  uint64_t all = m->s.syncs.data[index].readers | UINT64_C(1) << m->t;
  bool matters = false;
  for (uint64_t set = all; set; set &= set - 1)
    matters = matters || wants_result(m, (uint32_t)__builtin_ctzll(set));
  int choice =
      matters ? machine_choose_freely(m, (unsigned)__builtin_popcountll(all)) : 0;
  if (choice < 0) return OUTCOME_PAUSE;
  il_happens_release(&m->s, m->t, index, true);
  for (uint64_t set = all; set; set &= set - 1) {
    uint32_t thread = (uint32_t)__builtin_ctzll(set);
    il_happens_acquire(&m->s, thread, index);
    m->s.threads[thread].phase = choice-- == 0 ? PHASE_SPECIAL : PHASE_RELEASED;
  }
  il_happens_clear(&m->s, index);
  m->s.syncs.data[index].readers = 0;
  return il_sync_result(
      m, e, m->s.threads[m->t].phase == PHASE_SPECIAL ? RESULT_SPECIAL : RESULT_OK);
}

static Outcome barrier_wait(Machine *m, const Edge *e) {
  uint32_t index;
  Outcome out;
  AbsThread *t = &m->s.threads[m->t];
  if (t->phase == PHASE_RELEASED) return il_sync_result(m, e, RESULT_OK);
  if (t->phase == PHASE_SPECIAL) return il_sync_result(m, e, RESULT_SPECIAL);
  if (t->phase == PHASE_ARRIVED) return il_block(m, (Wait){.event = true});
  Sync *y = object_at(m, e->a, SYNC_BARRIER, &index, &out);
  if (!y) return out;
  if (!y->count) return il_give_up(m, "a barrier is used that was not initialised");
  if ((uint32_t)__builtin_popcountll(y->readers) + 1 >= y->count)
    return barrier_open(m, e, index);
  y->readers |= UINT64_C(1) << m->t;
  il_happens_release(&m->s, m->t, index, true);
  t->phase = PHASE_ARRIVED;
  return OUTCOME_DONE;
}

static Outcome barrier_destroy(Machine *m, const Edge *e) {
  uint32_t index;
  Outcome out;
  Sync *y = object_at(m, e->a, SYNC_BARRIER, &index, &out);
  if (!y) return out;
  if (y->readers) return il_give_up(m, "a barrier is destroyed while it is used");
  y->count = 0;
  return il_sync_result(m, e, RESULT_OK);
}

/* ---- semaphores ---- */

static Sync *semaphore(Machine *m, const Edge *e, uint32_t *ret_index,
                       Outcome *ret_outcome) {
  uint32_t before = m->s.syncs.len;
  Sync *y = object_at(m, e->a, SYNC_SEM, ret_index, ret_outcome);
  if (!y || m->s.syncs.len == before) return y;
  /* the first word of a sem_t is its value */
  AbsValue v = il_memory_peek(m, y->instance, y->offset, 4);
  if (!abs_is_number(v)) {
    *ret_outcome = il_give_up(m, "the value of a semaphore is not known");
    return NULL;
  }
  y->count = (uint32_t)v.num;
  return y;
}

static Outcome sem_init(Machine *m, const Edge *e) {
  uint32_t index;
  Outcome out;
  AbsValue value = il_eval(m, e->b);
  Sync *y = object_at(m, e->a, SYNC_SEM, &index, &out);
  if (!y) return out;
  if (!abs_is_number(value))
    return il_give_up(m, "the value of a semaphore is not known");
  if ((uint32_t)value.num > SEM_VALUE_MOST) return error_result(m, e, EINVAL);
  y->count = (uint32_t)value.num;
  il_happens_clear(&m->s, index);
  return il_sync_result(m, e, RESULT_OK);
}

static Outcome sem_wait(Machine *m, const Edge *e) {
  uint32_t index;
  Outcome out;
  Sync *y = semaphore(m, e, &index, &out);
  if (!y) return out;
  int request = e->attempt == ATTEMPT_TRY ? 0 : il_cancel_choose(m, !y->count);
  if (request < 0) return OUTCOME_PAUSE;
  if (request) return il_cancel_take_effect(m);
  if (y->count) {
    y->count--;
    il_happens_acquire(&m->s, m->t, index);
    return il_sync_result(m, e, RESULT_OK);
  }
  if (e->attempt == ATTEMPT_TRY) return il_sync_result(m, e, RESULT_BUSY);
  if (e->attempt == ATTEMPT_TIMED) return give_up_in_time(m, e, e->b);
  return il_block(m, (Wait){.event = true});
}

static Outcome sem_post(Machine *m, const Edge *e) {
  uint32_t index;
  Outcome out;
  Sync *y = semaphore(m, e, &index, &out);
  if (!y) return out;
  if (y->count == SEM_VALUE_MOST) return error_result(m, e, EOVERFLOW);
  if (y->count >= SEM_LIMIT) return il_give_up(m, "a semaphore grows without bound");
  y->count++;
  il_happens_release(&m->s, m->t, index, true);
  return il_sync_result(m, e, RESULT_OK);
}

static Outcome sem_value(Machine *m, const Edge *e) {
  uint32_t index;
  Outcome out;
  const Sync *y = semaphore(m, e, &index, &out);
  if (!y) return out;
  out = il_memory_store(m, e->b, 4, ACCESS_WRITE, abs_number(y->count));
  return out == OUTCOME_NEXT ? il_sync_result(m, e, RESULT_OK) : out;
}

/* ---- once ---- */

enum { ONCE_RUNS = 1 };

static Outcome once(Machine *m, const Edge *e) {
  uint32_t index;
  Outcome out;
  AbsValue function = il_eval(m, e->b);
  Sync *y = object_at(m, e->a, SYNC_ONCE, &index, &out);
  if (!y) return out;
  if (y->count == ONCE_DONE) {
    il_happens_acquire(&m->s, m->t, index);
    return il_sync_result(m, e, RESULT_OK);
  }
  if (y->count == ONCE_RUNS)
    return il_block(m, (Wait){.holders = UINT64_C(1) << (y->owner - 1)});
  /* the flag's own memory must be as it was initialised: nobody else may set it */
  AbsValue flag = il_memory_peek(m, y->instance, y->offset, 4);
  if (!abs_is_number(flag) || flag.num != 0)
    return il_give_up(m, "a once flag is not initialised as it should be");
  if (abs_tag(function) != ABS_FUNCTION)
    return il_give_up(m, "a one-time initialiser is not known");
  y->count = ONCE_RUNS;
  y->owner = (uint8_t)(m->t + 1);
  ThreadFrame place = {.once_instance = y->instance, .once_offset = y->offset};
  out = il_call_enter(m, m->t, abs_id(function), NULL, 0, FRAME_ONCE, m->edge);
  if (out != OUTCOME_NEXT) return out;
  il_frame_top(m)->once_instance = place.once_instance;
  il_frame_top(m)->once_offset = place.once_offset;
  return OUTCOME_NEXT;
}

Outcome il_once_done(Machine *m, const ThreadFrame *f) {
  int index = il_sync_at(m, f->once_instance, f->once_offset, SYNC_ONCE);
  if (index < 0) return OUTCOME_GIVE_UP;
  m->s.syncs.data[index].count = ONCE_DONE;
  m->s.syncs.data[index].owner = 0;
  il_happens_release(&m->s, m->t, (uint32_t)index, true);
  return il_sync_result(m, program_edge(m->p, f->call), RESULT_OK);
}

/* ---- the user's own ---- */

static Outcome user_order(Machine *m, const Edge *e) {
  uint32_t index;
  Outcome out;
  if (!object_at(m, e->a, SYNC_USER, &index, &out)) return out;
  if (e->op == OP_RELEASE)
    il_happens_release(&m->s, m->t, index, true);
  else
    il_happens_acquire(&m->s, m->t, index);
  return il_sync_result(m, e, RESULT_OK);
}

static Outcome section(Machine *m, const Edge *e) {
  Outcome out = il_section_step(m, e->op == OP_ATOMIC_BEGIN);
  if (out == OUTCOME_NEXT) il_frame_top(m)->node = e->to;
  return out;
}

Outcome il_sync_step(Machine *m, const Edge *e) {
  switch ((OpKind)e->op) {
  case OP_LOCK_INIT: return lock_init(m, e);
  case OP_LOCK: return lock(m, e);
  case OP_UNLOCK: return unlock(m, e);
  case OP_LOCK_DESTROY: return lock_destroy(m, e);
  case OP_WAIT: return wait(m, e);
  case OP_COND_INIT:
  case OP_COND_DESTROY: return renew_condition(m, e);
  case OP_SIGNAL:
  case OP_BROADCAST: return wake(m, e);
  case OP_BARRIER_INIT: return barrier_init(m, e);
  case OP_BARRIER_WAIT: return barrier_wait(m, e);
  case OP_BARRIER_DESTROY: return barrier_destroy(m, e);
  case OP_SEM_INIT: return sem_init(m, e);
  case OP_SEM_WAIT: return sem_wait(m, e);
  case OP_SEM_POST: return sem_post(m, e);
  case OP_SEM_VALUE: return sem_value(m, e);
  case OP_SEM_DESTROY: return il_sync_result(m, e, RESULT_OK);
  case OP_ONCE: return once(m, e);
  case OP_RELEASE:
  case OP_ACQUIRE: return user_order(m, e);
  case OP_ATOMIC_BEGIN:
  case OP_ATOMIC_END: return section(m, e);
  case OPS_SEQUENTIAL:
  case OPS_THREAD: break;
  }
  return il_give_up(m, "the operation %s is not known", op_text((OpKind)e->op));
}
