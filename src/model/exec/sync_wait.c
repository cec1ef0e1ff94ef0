/* Condition variables, barriers, semaphores and once flags.
 *
 * An operation that waits for an event runs in phases (machine.h): it starts, is queued
 * while the thread waits, and runs again when the event or the deadline has come. A
 * condition wait then still has to get its lock back, for which it may wait again. */
#include "model/exec/event.h"
#include "model/exec/sync.h"

#include <assert.h>
#include <errno.h>

static bool check_object(Exec *exec, uint64_t address, const char *what) {
  if (memory_may_read(&exec->memory, address, 1)) return true;
  memory_fault(exec, what, address, 1);
  return false;
}

static void wake_queued(Exec *exec, uint32_t number) {
  ExecThread *t = exec_thread(exec, number);
  t->phase = PHASE_WOKEN;
  thread_wake(t);
}

/* ---- condition variables ---- */

static Outcome begin_wait(Exec *exec, ExecThread *t, const Site *site,
                          const uint64_t *r) {
  const Edge *e = program_edge(exec->program, site->edge);
  if (!check_object(exec, r[site->a], "use of a condition variable")) return OUT_STOP;
  Sync *lock = lock_state(exec, r[site->b], LOCK_MUTEX);
  if (!lock) return OUT_STOP;
  if (lock->owner != t->number) {
    if (lock->type != MUTEX_NORMAL) return sync_error(exec, t, site, EPERM);
    exec_misuse(exec, "waits for a condition without holding the mutex");
    return OUT_STOP;
  }
  uint64_t deadline = UINT64_MAX;
  bool valid = true;
  if (e->attempt == ATTEMPT_TIMED && site->c &&
      !sync_deadline(exec, r[site->c], &deadline, &valid))
    return OUT_STOP;
  if (!valid) return sync_error(exec, t, site, EINVAL);
  assert(lock->depth > 0);
  if (--lock->depth == 0) {
    event_release(exec, t, CHANNEL_LOCK, lock->address);
    lock_release(exec, lock);
  }
  Sync *cond = sync_get(exec, r[site->a], SYNC_COND);
  vec_push(&cond->threads, t->number);
  t->phase = PHASE_QUEUED;
  thread_block(t, WAIT_CONDITION, r[site->a], deadline);
  return OUT_BLOCK;
}

static Outcome wait_condition(Exec *exec, ExecThread *t, const Site *site,
                              const uint64_t *r) {
  if (t->phase == PHASE_START)
    return thread_cancel_pending(t) ? thread_test_cancel(exec, t)
                                    : begin_wait(exec, t, site, r);
  Sync *lock = lock_state(exec, r[site->b], LOCK_MUTEX);
  if (!lock) return OUT_STOP;
  if (!lock_take(lock, t, MODE_EXCLUSIVE)) {
    thread_block(t, WAIT_LOCK, r[site->b], UINT64_MAX);
    return OUT_BLOCK;
  }
  lock_order(exec, t, r[site->b], MODE_EXCLUSIVE);
  event_acquire(exec, t, CHANNEL_EVENT, r[site->a]);
  SyncOutcome result = t->phase == PHASE_TIMED_OUT ? RESULT_TIMEOUT : RESULT_OK;
  sync_result(exec, t, site, result);
  return thread_test_cancel(exec, t);
}

static Outcome signal_one(Exec *exec, ExecThread *t, const Site *site,
                          const uint64_t *r) {
  if (!check_object(exec, r[site->a], "use of a condition variable")) return OUT_STOP;
  Sync *cond = sync_find(exec, r[site->a], SYNC_COND);
  event_release(exec, t, CHANNEL_EVENT, r[site->a]);
  if (cond && cond->threads.len) {
    uint32_t at = 0;
    if (t->chosen) {
      while (at + 1 < cond->threads.len && cond->threads.data[at] != t->chosen) at++;
      t->chosen = 0;
    } else if (cond->threads.len > 1) {
      at = exec_pick(exec, cond->threads.len);
    }
    uint32_t number = cond->threads.data[at];
    memmove(&cond->threads.data[at], &cond->threads.data[at + 1],
            (cond->threads.len - at - 1) * sizeof number);
    cond->threads.len--;
    wake_queued(exec, number);
  }
  return sync_result(exec, t, site, RESULT_OK);
}

static Outcome broadcast(Exec *exec, ExecThread *t, const Site *site, const uint64_t *r) {
  if (!check_object(exec, r[site->a], "use of a condition variable")) return OUT_STOP;
  Sync *cond = sync_find(exec, r[site->a], SYNC_COND);
  event_release(exec, t, CHANNEL_EVENT, r[site->a]);
  for (uint32_t i = 0; cond && i < cond->threads.len; i++)
    wake_queued(exec, cond->threads.data[i]);
  if (cond) vec_clear(&cond->threads);
  return sync_result(exec, t, site, RESULT_OK);
}

/* ---- barriers ---- */

static Outcome init_barrier(Exec *exec, ExecThread *t, const Site *site,
                            const uint64_t *r) {
  if (!check_object(exec, r[site->a], "use of a barrier")) return OUT_STOP;
  if ((uint32_t)r[site->b] == 0) return sync_error(exec, t, site, EINVAL);
  sync_drop(exec, r[site->a]);
  sync_get(exec, r[site->a], SYNC_BARRIER)->value = (uint32_t)r[site->b];
  return sync_result(exec, t, site, RESULT_OK);
}

static Outcome wait_barrier(Exec *exec, ExecThread *t, const Site *site,
                            const uint64_t *r) {
  if (t->phase == PHASE_WOKEN) return sync_result(exec, t, site, RESULT_OK);
  Sync *barrier = sync_find(exec, r[site->a], SYNC_BARRIER);
  if (!barrier) {
    exec_misuse(exec, "waits at a barrier that was not initialised");
    return OUT_STOP;
  }
  if (barrier->threads.len + 1 < barrier->value) {
    vec_push(&barrier->threads, t->number);
    t->phase = PHASE_QUEUED;
    thread_block(t, WAIT_BARRIER, r[site->a], UINT64_MAX);
    return OUT_BLOCK;
  }
  event_barrier(exec, t, r[site->a], ++barrier->depth, barrier->threads.data,
                barrier->threads.len);
  for (uint32_t i = 0; i < barrier->threads.len; i++)
    wake_queued(exec, barrier->threads.data[i]);
  vec_clear(&barrier->threads);
  return sync_result(exec, t, site, RESULT_SPECIAL);
}

/* ---- semaphores ---- */

/* The first word of a sem_t is its value: that is what a zeroed or copied one starts
 * with. */
static Sync *semaphore(Exec *exec, uint64_t address) {
  Sync *sem = sync_find(exec, address, SYNC_SEM);
  if (sem) return sem;
  uint32_t value;
  if (!exec_read(exec, address, &value, sizeof value)) return NULL;
  sem = sync_get(exec, address, SYNC_SEM);
  sem->value = value;
  return sem;
}

static Outcome init_semaphore(Exec *exec, ExecThread *t, const Site *site,
                              const uint64_t *r) {
  if ((uint32_t)r[site->b] > SEM_VALUE_MOST) return sync_error(exec, t, site, EINVAL);
  if (!check_object(exec, r[site->a], "use of a semaphore")) return OUT_STOP;
  sync_drop(exec, r[site->a]);
  sync_get(exec, r[site->a], SYNC_SEM)->value = (uint32_t)r[site->b];
  return sync_result(exec, t, site, RESULT_OK);
}

static Outcome wait_semaphore(Exec *exec, ExecThread *t, const Site *site,
                              const uint64_t *r) {
  const Edge *e = program_edge(exec->program, site->edge);
  if (e->attempt != ATTEMPT_TRY && thread_cancel_pending(t))
    return thread_test_cancel(exec, t);
  Sync *sem = semaphore(exec, r[site->a]);
  if (!sem) return OUT_STOP;
  if (sem->value) {
    sem->value--;
    event_acquire(exec, t, CHANNEL_EVENT, r[site->a]);
    return sync_result(exec, t, site, RESULT_OK);
  }
  if (e->attempt == ATTEMPT_TRY) return sync_result(exec, t, site, RESULT_BUSY);
  if (t->phase == PHASE_TIMED_OUT) return sync_result(exec, t, site, RESULT_TIMEOUT);
  uint64_t deadline = UINT64_MAX;
  bool valid = true;
  if (e->attempt == ATTEMPT_TIMED && site->b &&
      !sync_deadline(exec, r[site->b], &deadline, &valid))
    return OUT_STOP;
  if (!valid) return sync_error(exec, t, site, EINVAL);
  t->phase = PHASE_QUEUED;
  thread_block(t, WAIT_SEMAPHORE, r[site->a], deadline);
  return OUT_BLOCK;
}

static Outcome post(Exec *exec, ExecThread *t, const Site *site, const uint64_t *r) {
  Sync *sem = semaphore(exec, r[site->a]);
  if (!sem) return OUT_STOP;
  if (sem->value >= SEM_VALUE_MOST) return sync_error(exec, t, site, EOVERFLOW);
  sem->value++;
  event_release(exec, t, CHANNEL_EVENT, r[site->a]);
  sync_retry(exec, WAIT_SEMAPHORE, r[site->a]);
  return sync_result(exec, t, site, RESULT_OK);
}

static Outcome read_semaphore(Exec *exec, ExecThread *t, const Site *site,
                              const uint64_t *r) {
  const Sync *sem = semaphore(exec, r[site->a]);
  int value = sem ? (int)sem->value : 0;
  event_access(exec, t, r[site->b], sizeof value, ACCESS_WRITE, ORDER_NONE);
  if (!sem || !exec_write(exec, r[site->b], &value, sizeof value)) return OUT_STOP;
  return sync_result(exec, t, site, RESULT_OK);
}

/* ---- once ---- */

static Outcome once(Exec *exec, ExecThread *t, const Site *site, const uint64_t *r) {
  int32_t state;
  uint64_t flag = r[site->a];
  if (!exec_read(exec, flag, &state, sizeof state)) return OUT_STOP;
  Sync *running = sync_find(exec, flag, SYNC_ONCE);
  if (running && running->owner) {
    thread_block(t, WAIT_ONCE, flag, UINT64_MAX);
    return OUT_BLOCK;
  }
  if (state == ONCE_DONE) {
    event_acquire(exec, t, CHANNEL_EVENT, flag);
    return sync_result(exec, t, site, RESULT_OK);
  }
  sync_get(exec, flag, SYNC_ONCE)->owner = t->number;
  Frame *f = call_simple(exec, t, r[site->b], NULL, 0, RETURN_ONCE);
  if (!f) return OUT_STOP;
  f->once = flag;
  return OUT_FRAME;
}

void sync_once_done(Exec *exec, ExecThread *t, uint64_t flag) {
  int32_t done = ONCE_DONE;
  exec_write(exec, flag, &done, sizeof done);
  event_release(exec, t, CHANNEL_EVENT, flag);
  sync_drop(exec, flag);
  sync_retry(exec, WAIT_ONCE, flag);
  const Frame *f = t->frame; /* still at the once operation */
  sync_result(exec, t, &f->code->sites.data[f->pc->a], RESULT_OK);
}

void sync_once_left(Exec *exec, uint64_t flag) {
  sync_drop(exec, flag);
  sync_retry(exec, WAIT_ONCE, flag);
}

/* ---- which one ---- */

static Outcome destroy(Exec *exec, ExecThread *t, const Site *site, const uint64_t *r,
                       SyncKind kind) {
  const Sync *sync = sync_find(exec, r[site->a], kind);
  if (sync && sync->threads.len) {
    exec_stop(exec, "destroys an object that %u threads wait for", sync->threads.len);
    return OUT_STOP;
  }
  sync_drop(exec, r[site->a]);
  return sync_result(exec, t, site, RESULT_OK);
}

Outcome wait_execute(Exec *exec, ExecThread *t, const Site *site, uint64_t *r) {
  const Edge *e = program_edge(exec->program, site->edge);
  switch ((OpKind)e->op) {
  case OP_COND_INIT:
    if (!check_object(exec, r[site->a], "use of a condition variable")) return OUT_STOP;
    sync_drop(exec, r[site->a]);
    return sync_result(exec, t, site, RESULT_OK);
  case OP_WAIT: return wait_condition(exec, t, site, r);
  case OP_SIGNAL: return signal_one(exec, t, site, r);
  case OP_BROADCAST: return broadcast(exec, t, site, r);
  case OP_COND_DESTROY: return destroy(exec, t, site, r, SYNC_COND);
  case OP_BARRIER_INIT: return init_barrier(exec, t, site, r);
  case OP_BARRIER_WAIT: return wait_barrier(exec, t, site, r);
  case OP_BARRIER_DESTROY: return destroy(exec, t, site, r, SYNC_BARRIER);
  case OP_SEM_INIT: return init_semaphore(exec, t, site, r);
  case OP_SEM_WAIT: return wait_semaphore(exec, t, site, r);
  case OP_SEM_POST: return post(exec, t, site, r);
  case OP_SEM_VALUE: return read_semaphore(exec, t, site, r);
  case OP_SEM_DESTROY: return destroy(exec, t, site, r, SYNC_SEM);
  case OP_ONCE: return once(exec, t, site, r);
  case OPS_SEQUENTIAL:
  case OPS_THREAD:
  case OPS_LOCK:
  case OPS_USER:
  case OPS_SECTION: break;
  }
  return slow_not_here(exec, site);
}

bool wait_would_block(Exec *exec, ExecThread *t, const Edge *e, uint64_t address) {
  switch ((OpKind)e->op) {
  case OP_WAIT: {
    /* entering the wait never blocks; coming out of it needs the lock */
    if (t->phase == PHASE_START) return false;
    const Sync *lock = sync_find(exec, eval_peek_small(exec, t, e->b, 0), SYNC_LOCK);
    return lock && lock_would_block(lock, t, MODE_EXCLUSIVE);
  }
  case OP_SEM_WAIT: {
    if (e->attempt != ATTEMPT_BLOCK || thread_cancel_pending(t)) return false;
    const Sync *sem = sync_find(exec, address, SYNC_SEM);
    uint32_t value = 0;
    if (sem) return sem->value == 0;
    if (memory_may_read(&exec->memory, address, 4))
      memcpy(&value, exec->memory.bytes + address, 4);
    return memory_may_read(&exec->memory, address, 4) && value == 0;
  }
  case OP_ONCE: {
    const Sync *running = sync_find(exec, address, SYNC_ONCE);
    return running && running->owner;
  }
  case OPS_SEQUENTIAL:
  case OPS_THREAD:
  case OPS_LOCK:
  case OP_COND_INIT:
  case OPS_WAKE:
  case OP_COND_DESTROY:
  case OPS_BARRIER:
  case OP_SEM_INIT:
  case OP_SEM_POST:
  case OP_SEM_VALUE:
  case OP_SEM_DESTROY:
  case OPS_USER:
  case OPS_SECTION: break;
  }
  return false;
}
