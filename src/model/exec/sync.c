/* Locks: mutexes (normal, recursive, error-checking), spin locks and read-write locks.
 *
 * A lock that cannot be had makes its thread wait; whenever it is released all its
 * waiters try again, and the scheduler decides who is first. What POSIX leaves undefined
 * (unlocking a normal mutex that another thread holds) is a stop, what it defines as an
 * error is one. */
#include "model/exec/event.h"
#include "model/exec/sync.h"

#include <assert.h>
#include <errno.h>

/* PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP; glibc takes the other preference for none. */
enum { RWLOCK_WRITERS_FIRST = 2 };

Sync *lock_state(Exec *exec, uint64_t address, LockKind kind) {
  /* a stream's own lock has no bytes in the program's memory */
  if (kind != LOCK_RECURSIVE && !memory_may_read(&exec->memory, address, 1)) {
    memory_fault(exec, "use of a lock", address, 1);
    return NULL;
  }
  Sync *lock = sync_get(exec, address, SYNC_LOCK);
  lock->lock = (uint8_t)kind;
  if (kind == LOCK_RECURSIVE) {
    lock->type = MUTEX_RECURSIVE;
  } else if (kind == LOCK_MUTEX && !lock->explicit_type && !lock->owner) {
    uint32_t bytes = 0;
    if (memory_may_read(&exec->memory, address + MUTEX_KIND_OFFSET, MUTEX_KIND_BYTES))
      memcpy(&bytes, exec->memory.bytes + address + MUTEX_KIND_OFFSET, MUTEX_KIND_BYTES);
    lock->type = (uint8_t)mutex_type_of_kind(bytes);
  }
  return lock;
}

static bool available(const Sync *lock, const ExecThread *t, LockMode mode) {
  if (lock->owner) return lock->owner == t->number && lock->type != MUTEX_NORMAL;
  if (mode == MODE_SHARED) return !lock->writers;
  return lock->threads.len == 0;
}

bool lock_would_block(const Sync *lock, const ExecThread *t, LockMode mode) {
  /* one's own read-write lock is an error, which is immediate */
  return !available(lock, t, mode) &&
         !(lock->lock == LOCK_RW && lock->owner == t->number);
}

bool lock_take(Sync *lock, const ExecThread *t, LockMode mode) {
  if (!available(lock, t, mode)) return false;
  if (mode == MODE_SHARED) {
    vec_push(&lock->threads, t->number);
  } else {
    lock->owner = t->number;
    lock->depth++;
  }
  return true;
}

void lock_order(Exec *exec, ExecThread *t, uint64_t address, LockMode mode) {
  event_acquire(exec, t, CHANNEL_LOCK, address);
  if (mode != MODE_SHARED) event_acquire(exec, t, CHANNEL_READERS, address);
}

void lock_release(Exec *exec, Sync *lock) {
  uint64_t address = lock->address;
  if (lock->robust == ROBUST_UNREPAIRED) lock->robust = ROBUST_LOST;
  lock->owner = 0;
  lock->depth = 0;
  sync_retry(exec, WAIT_LOCK, address);
}

void lock_owner_ended(Exec *exec, ExecThread *t) {
  for (uint32_t i = 0; i < exec->sync->entries.len; i++) {
    Sync *lock = &exec->sync->entries.data[i];
    if (lock->kind != SYNC_LOCK || lock->robust == ROBUST_NOT || lock->owner != t->number)
      continue;
    lock->robust = ROBUST_OWNER_DEAD;
    event_release(exec, t, CHANNEL_LOCK, lock->address);
    lock_release(exec, lock);
  }
}

bool lock_repair(Exec *exec, const ExecThread *t, uint64_t address) {
  Sync *lock = sync_find(exec, address, SYNC_LOCK);
  if (!lock || lock->robust != ROBUST_UNREPAIRED || lock->owner != t->number)
    return false;
  lock->robust = ROBUST_WELL;
  return true;
}

/* A writer that sleeps keeps new readers out, if the lock is one of that kind. */
static void note_writer(ExecThread *t, Sync *lock, const Edge *e, bool sleeps) {
  bool slept = t->phase != PHASE_START;
  if (!lock->writers_first || e->mode == MODE_SHARED || slept == sleeps) return;
  lock->writers += sleeps ? 1 : UINT32_MAX;
  t->phase = sleeps ? PHASE_QUEUED : t->phase;
}

static Outcome lock(Exec *exec, ExecThread *t, const Site *site, const uint64_t *r) {
  const Edge *e = program_edge(exec->program, site->edge);
  Sync *lock = lock_state(exec, r[site->a], (LockKind)e->lock);
  if (!lock) return OUT_STOP;
  bool mine = lock->owner == t->number;
  if (mine && e->attempt == ATTEMPT_TRY && lock->type != MUTEX_RECURSIVE)
    return sync_result(exec, t, site, RESULT_BUSY);
  if (mine && ((lock->lock == LOCK_MUTEX && lock->type == MUTEX_ERRORCHECK) ||
               lock->lock == LOCK_RW))
    return sync_error(exec, t, site, EDEADLK);
  if (lock->robust == ROBUST_LOST) return sync_error(exec, t, site, ENOTRECOVERABLE);
  if (lock_take(lock, t, (LockMode)e->mode)) {
    note_writer(t, lock, e, false);
    lock_order(exec, t, r[site->a], (LockMode)e->mode);
    if (lock->robust != ROBUST_OWNER_DEAD) return sync_result(exec, t, site, RESULT_OK);
    lock->robust = ROBUST_UNREPAIRED;
    return sync_error(exec, t, site, EOWNERDEAD);
  }
  if (e->attempt == ATTEMPT_TRY) return sync_result(exec, t, site, RESULT_BUSY);
  if (t->phase == PHASE_TIMED_OUT) {
    note_writer(t, lock, e, false);
    return sync_result(exec, t, site, RESULT_TIMEOUT);
  }
  uint64_t deadline = UINT64_MAX;
  bool valid = true;
  if (e->attempt == ATTEMPT_TIMED && site->b &&
      !sync_deadline(exec, r[site->b], &deadline, &valid))
    return OUT_STOP;
  if (!valid) return sync_error(exec, t, site, EINVAL);
  note_writer(t, lock, e, true);
  thread_block(t, WAIT_LOCK, r[site->a], deadline);
  return OUT_BLOCK;
}

static bool drop_reader(Sync *lock, uint32_t thread) {
  for (uint32_t i = 0; i < lock->threads.len; i++) {
    if (lock->threads.data[i] != thread) continue;
    lock->threads.data[i] = lock->threads.data[--lock->threads.len];
    return true;
  }
  return false;
}

static Outcome unlock(Exec *exec, ExecThread *t, const Site *site, const uint64_t *r) {
  const Edge *e = program_edge(exec->program, site->edge);
  Sync *lock = lock_state(exec, r[site->a], (LockKind)e->lock);
  if (!lock) return OUT_STOP;
  if (lock->owner == t->number) {
    assert(lock->depth > 0);
    if (--lock->depth == 0) {
      event_release(exec, t, CHANNEL_LOCK, lock->address);
      lock_release(exec, lock);
    }
    return sync_result(exec, t, site, RESULT_OK);
  }
  if (e->lock == LOCK_RW && drop_reader(lock, t->number)) {
    event_release(exec, t, CHANNEL_READERS, lock->address);
    sync_retry(exec, WAIT_LOCK, lock->address);
    return sync_result(exec, t, site, RESULT_OK);
  }
  if (lock->lock == LOCK_MUTEX && lock->type != MUTEX_NORMAL)
    return sync_error(exec, t, site, EPERM);
  uint32_t holder = sync_holder(exec, r[site->a]);
  /* whoever sleeps before a lock that was overwritten is woken by nobody */
  if (exec->options.glibc && !holder) return sync_result(exec, t, site, RESULT_OK);
  if ((exec->options.unlock_any || exec->options.glibc) && (lock->owner || !holder)) {
    event_release(exec, t, CHANNEL_LOCK, lock->address);
    lock_release(exec, lock);
    return sync_result(exec, t, site, RESULT_OK);
  }
  Str name = {0};
  exec_describe(exec, r[site->a], &name);
  if (holder)
    exec_stop(exec, "unlocks %s, which thread %u holds", str_text(&name), holder);
  else
    exec_stop(exec, "unlocks %s, which is not locked", str_text(&name));
  str_free(&name);
  return OUT_STOP;
}

/* Operand b is the kind itself when it is a number, the address of an attribute when it
 * is a pointer. */
static Outcome init(Exec *exec, ExecThread *t, const Site *site, const uint64_t *r) {
  const Edge *e = program_edge(exec->program, site->edge);
  uint32_t kind = 0;
  if (e->b && vec_at(&exec->program->exprs, e->b)->sort == SORT_PTR) {
    if (r[site->b] && !exec_read(exec, r[site->b], &kind, sizeof kind)) return OUT_STOP;
  } else if (e->b) {
    kind = (uint32_t)r[site->b];
  }
  sync_drop(exec, r[site->a]);
  event_reset(exec, t, r[site->a]);
  Sync *lock = lock_state(exec, r[site->a], (LockKind)e->lock);
  if (!lock) return OUT_STOP;
  lock->explicit_type = true;
  lock->type = (uint8_t)lock_type_of_init((LockKind)e->lock, kind);
  lock->writers_first = e->lock == LOCK_RW && kind == RWLOCK_WRITERS_FIRST;
  lock->robust =
      e->lock == LOCK_MUTEX && mutex_kind_is_robust(kind) ? ROBUST_WELL : ROBUST_NOT;
  return sync_result(exec, t, site, RESULT_OK);
}

static Outcome destroy(Exec *exec, ExecThread *t, const Site *site, const uint64_t *r) {
  const Sync *lock = sync_find(exec, r[site->a], SYNC_LOCK);
  if (lock && (lock->owner || lock->threads.len)) return sync_error(exec, t, site, EBUSY);
  sync_drop(exec, r[site->a]);
  return sync_result(exec, t, site, RESULT_OK);
}

Outcome lock_execute(Exec *exec, ExecThread *t, const Site *site, uint64_t *r) {
  switch ((OpKind)program_edge(exec->program, site->edge)->op) {
  case OP_LOCK_INIT: return init(exec, t, site, r);
  case OP_LOCK: return lock(exec, t, site, r);
  case OP_UNLOCK: return unlock(exec, t, site, r);
  case OP_LOCK_DESTROY: return destroy(exec, t, site, r);
  case OPS_SEQUENTIAL:
  case OPS_THREAD:
  case OPS_COND:
  case OPS_BARRIER:
  case OPS_SEM:
  case OP_ONCE:
  case OPS_USER:
  case OPS_SECTION: break;
  }
  return slow_not_here(exec, site);
}
