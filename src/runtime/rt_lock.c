/* Mutexes, read-write locks, spin locks.
 *
 * Two shapes cover them all: acquiring, which may block or fail, and releasing. What a
 * schedule calls a failed attempt fails in the replay without being tried. */
#include "runtime/rt.h"

#include <errno.h>
#include <string.h>

#define EXPORT __attribute__((visibility("default")))

typedef int LockFunction(void *object);

typedef struct {
  void *object;
  uintptr_t pc;
  TraceOp op,
      failed;  /* `failed` is TRACE_NONE for a call that waits as long as it takes */
  int failure; /* what a failed call returns */
  LockFunction *try;
} Acquire;

static bool is_failure(int code) {
  return code == EBUSY || code == ETIMEDOUT;
}

static bool is_success(int code) {
  return code == 0 || code == EOWNERDEAD;
}

static int try_mutex(void *m) {
  return REAL(pthread_mutex_trylock)(m);
}

/* A mutex whose owner may end without unlocking it. */
static bool is_robust(const Acquire *a) {
  enum { ROBUST = 16 }; /* in the C library's kinds */
  return a->try == try_mutex && ((pthread_mutex_t *)a->object)->__data.__kind & ROBUST;
}

/* True when it is an event. */
static bool hold(RtThread *t, const Acquire *a) {
  bool first = rt_hold_lock(t, (uintptr_t)a->object, a->pc, a->op == TRACE_READ_LOCK);
  for (uint32_t i = 0; is_robust(a) && i < t->held_count; i++)
    if (t->held[i].object == (uintptr_t)a->object) t->held[i].robust = true;
  return first;
}

/* While recording: after the call, with its result. */
static int acquired(RtThread *t, const Acquire *a, int code) {
  if (is_success(code)) {
    if (hold(t, a)) rt_emit(t, a->op, (uintptr_t)a->object, a->pc, 0, 0, 0);
  } else if (a->failed != TRACE_NONE && is_failure(code)) {
    rt_emit(t, a->failed, (uintptr_t)a->object, a->pc, 0, 0, 0);
  }
  return code;
}

static bool holds(const RtThread *t, const void *object) {
  for (uint32_t i = 0; i < t->held_count; i++)
    if (t->held[i].object == (uintptr_t)object) return true;
  return false;
}

/* One attempt. The last owner of a robust mutex may have told its end before it is gone:
 * that takes a moment, if the caller is to have it. */
enum { MOST_PAUSES = 1000 };
static int try_now(const Acquire *a, bool pause) {
  int code = a->try(a->object);
  for (unsigned i = 0; pause && is_failure(code) && is_robust(a) && i < MOST_PAUSES &&
                       !rt_is_held((uintptr_t)a->object);
       i++) {
    rt_pause();
    code = a->try(a->object);
  }
  return code;
}

/* In a replay. `wait` says that a call without success should wait. */
static int replay(RtThread *t, const Acquire *a, bool wait) {
  if (holds(t, a->object)) { /* again, in a recursive mutex: no event, unless it blocks */
    int code = a->try(a->object);
    if (code == 0) hold(t, a);
    if (!is_failure(code) || !wait) return code;
  }
  TraceOp turn = rt_turn(t, a->op, a->failed, a->pc);
  int code = a->failure;
  if (turn != a->failed || turn == TRACE_NONE)
    while (is_failure(code = try_now(a, wait || turn != TRACE_NONE)) && wait)
      rt_block(t, turn, a->op, (uintptr_t)a->object, a->pc);
  if (is_success(code)) {
    hold(t, a);
    rt_guide_log(t, a->op, (uintptr_t)a->object, 0, 0, 0);
  }
  rt_turn_done(t, turn);
  return is_failure(code) ? a->failure : code;
}

/* Releases; `unlock` is done under the turn. */
static int release(void *object, LockFunction *unlock, uintptr_t pc) {
  RtThread *t = rt_active();
  if (!t) return unlock(object);
  bool event = rt_drop_lock(t, (uintptr_t)object);
  if (!event) return unlock(object);
  if (rt_mode == CONTROL_RECORD) {
    rt_emit(t, TRACE_UNLOCK, (uintptr_t)object, pc, 0, 0, 0);
    return unlock(object);
  }
  TraceOp turn = rt_turn(t, TRACE_UNLOCK, TRACE_NONE, pc);
  int code = unlock(object);
  rt_guide_log(t, TRACE_UNLOCK, (uintptr_t)object, 0, 0, 0);
  rt_retry();
  rt_turn_done(t, turn);
  return code;
}

static void forget(void *object, uintptr_t pc) {
  RtThread *t = rt_active();
  if (t && rt_mode == CONTROL_RECORD)
    rt_emit(t, TRACE_FORGET, (uintptr_t)object, pc, 0, 0, 0);
}

/* ---- mutexes ---------------------------------------------------------------------- */

static int unlock_mutex(void *m) {
  return REAL(pthread_mutex_unlock)(m);
}

/* A mutex that checks for errors says so instead of blocking. */
static bool checks_owner(const pthread_mutex_t *m) {
  return (m->__data.__kind & 3) == PTHREAD_MUTEX_ERRORCHECK;
}

EXPORT int pthread_mutex_lock(pthread_mutex_t *m) {
  RtThread *t = rt_active();
  if (!t) return REAL(pthread_mutex_lock)(m);
  Acquire a = {m, RT_PLACE, TRACE_LOCK, TRACE_NONE, EDEADLK, try_mutex};
  if (rt_mode == CONTROL_REPLAY) {
    if (checks_owner(m) && holds(t, m)) return EDEADLK;
    return replay(t, &a, true);
  }
  int code = REAL(pthread_mutex_trylock)(m);
  if (code == EBUSY) {
    if (checks_owner(m) && holds(t, m)) return EDEADLK;
    rt_check_circle(t, m, a.pc);
    code = REAL(pthread_mutex_lock)(m);
    __atomic_store_n(&t->contended, 0, __ATOMIC_SEQ_CST);
  }
  return acquired(t, &a, code);
}

EXPORT int pthread_mutex_trylock(pthread_mutex_t *m) {
  RtThread *t = rt_active();
  if (!t) return REAL(pthread_mutex_trylock)(m);
  Acquire a = {m, RT_PLACE, TRACE_LOCK, TRACE_FAILED_LOCK, EBUSY, try_mutex};
  if (rt_mode == CONTROL_REPLAY) return replay(t, &a, false);
  return acquired(t, &a, REAL(pthread_mutex_trylock)(m));
}

EXPORT int pthread_mutex_timedlock(pthread_mutex_t *m, const struct timespec *until) {
  RtThread *t = rt_active();
  if (!t) return REAL(pthread_mutex_timedlock)(m, until);
  Acquire a = {m, RT_PLACE, TRACE_LOCK, TRACE_FAILED_LOCK, ETIMEDOUT, try_mutex};
  rt_guide_touch(until, sizeof *until, 0, RT_PLACE);
  if (rt_mode == CONTROL_REPLAY && rt_replay_scheduled()) return replay(t, &a, false);
  if (rt_mode == CONTROL_RECORD)
    return acquired(t, &a, REAL(pthread_mutex_timedlock)(m, until));
  int code = REAL(pthread_mutex_timedlock)(m, until);
  if (is_success(code)) hold(t, &a);
  return code;
}

EXPORT int pthread_mutex_clocklock(pthread_mutex_t *m, clockid_t clock,
                                   const struct timespec *until) {
  RtThread *t = rt_active();
  if (!t) return REAL(pthread_mutex_clocklock)(m, clock, until);
  Acquire a = {m, RT_PLACE, TRACE_LOCK, TRACE_FAILED_LOCK, ETIMEDOUT, try_mutex};
  rt_guide_touch(until, sizeof *until, 0, RT_PLACE);
  if (rt_mode == CONTROL_REPLAY && rt_replay_scheduled()) return replay(t, &a, false);
  if (rt_mode == CONTROL_RECORD)
    return acquired(t, &a, REAL(pthread_mutex_clocklock)(m, clock, until));
  int code = REAL(pthread_mutex_clocklock)(m, clock, until);
  if (is_success(code)) hold(t, &a);
  return code;
}

EXPORT int pthread_mutex_unlock(pthread_mutex_t *m) {
  return release(m, unlock_mutex, RT_PLACE);
}

EXPORT int pthread_mutex_init(pthread_mutex_t *m, const pthread_mutexattr_t *attributes) {
  forget(m, RT_PLACE);
  return REAL(pthread_mutex_init)(m, attributes);
}

EXPORT int pthread_mutex_destroy(pthread_mutex_t *m) {
  forget(m, RT_PLACE);
  return REAL(pthread_mutex_destroy)(m);
}

/* ---- spin locks ------------------------------------------------------------------- */

static int try_spin(void *s) {
  return REAL(pthread_spin_trylock)(s);
}
static int unlock_spin(void *s) {
  return REAL(pthread_spin_unlock)(s);
}

EXPORT int pthread_spin_lock(pthread_spinlock_t *s) {
  RtThread *t = rt_active();
  if (!t) return REAL(pthread_spin_lock)(s);
  Acquire a = {(void *)s, RT_PLACE, TRACE_LOCK, TRACE_NONE, EDEADLK, try_spin};
  if (rt_mode == CONTROL_REPLAY) return replay(t, &a, true);
  return acquired(t, &a, REAL(pthread_spin_lock)(s));
}

EXPORT int pthread_spin_trylock(pthread_spinlock_t *s) {
  RtThread *t = rt_active();
  if (!t) return REAL(pthread_spin_trylock)(s);
  Acquire a = {(void *)s, RT_PLACE, TRACE_LOCK, TRACE_FAILED_LOCK, EBUSY, try_spin};
  if (rt_mode == CONTROL_REPLAY) return replay(t, &a, false);
  return acquired(t, &a, REAL(pthread_spin_trylock)(s));
}

EXPORT int pthread_spin_unlock(pthread_spinlock_t *s) {
  return release((void *)s, unlock_spin, RT_PLACE);
}

EXPORT int pthread_spin_init(pthread_spinlock_t *s, int shared) {
  forget((void *)s, RT_PLACE);
  return REAL(pthread_spin_init)(s, shared);
}

EXPORT int pthread_spin_destroy(pthread_spinlock_t *s) {
  forget((void *)s, RT_PLACE);
  return REAL(pthread_spin_destroy)(s);
}

/* ---- read-write locks ------------------------------------------------------------- */

static int try_read(void *l) {
  return REAL(pthread_rwlock_tryrdlock)(l);
}
static int try_write(void *l) {
  return REAL(pthread_rwlock_trywrlock)(l);
}
static int unlock_rw(void *l) {
  return REAL(pthread_rwlock_unlock)(l);
}

/* A thread that writes is refused, as the C library does it. */
static bool writes(const RtThread *t, const pthread_rwlock_t *l) {
  for (uint32_t i = 0; i < t->held_count; i++)
    if (t->held[i].object == (uintptr_t)l && !t->held[i].shared) return true;
  return false;
}

EXPORT int pthread_rwlock_rdlock(pthread_rwlock_t *l) {
  RtThread *t = rt_active();
  if (!t) return REAL(pthread_rwlock_rdlock)(l);
  if (rt_mode == CONTROL_REPLAY && writes(t, l)) return EDEADLK;
  Acquire a = {l, RT_PLACE, TRACE_READ_LOCK, TRACE_NONE, EDEADLK, try_read};
  if (rt_mode == CONTROL_REPLAY) return replay(t, &a, true);
  return acquired(t, &a, REAL(pthread_rwlock_rdlock)(l));
}

EXPORT int pthread_rwlock_tryrdlock(pthread_rwlock_t *l) {
  RtThread *t = rt_active();
  if (!t) return REAL(pthread_rwlock_tryrdlock)(l);
  Acquire a = {l, RT_PLACE, TRACE_READ_LOCK, TRACE_FAILED_READ_LOCK, EBUSY, try_read};
  if (rt_mode == CONTROL_REPLAY) return replay(t, &a, false);
  return acquired(t, &a, REAL(pthread_rwlock_tryrdlock)(l));
}

EXPORT int pthread_rwlock_timedrdlock(pthread_rwlock_t *l, const struct timespec *until) {
  RtThread *t = rt_active();
  if (!t) return REAL(pthread_rwlock_timedrdlock)(l, until);
  Acquire a = {l, RT_PLACE, TRACE_READ_LOCK, TRACE_FAILED_READ_LOCK, ETIMEDOUT, try_read};
  rt_guide_touch(until, sizeof *until, 0, RT_PLACE);
  if (rt_mode == CONTROL_REPLAY && rt_replay_scheduled()) return replay(t, &a, false);
  int code = REAL(pthread_rwlock_timedrdlock)(l, until);
  if (rt_mode == CONTROL_RECORD) return acquired(t, &a, code);
  if (is_success(code)) hold(t, &a);
  return code;
}

EXPORT int pthread_rwlock_clockrdlock(pthread_rwlock_t *l, clockid_t clock,
                                      const struct timespec *until) {
  RtThread *t = rt_active();
  if (!t) return REAL(pthread_rwlock_clockrdlock)(l, clock, until);
  Acquire a = {l, RT_PLACE, TRACE_READ_LOCK, TRACE_FAILED_READ_LOCK, ETIMEDOUT, try_read};
  rt_guide_touch(until, sizeof *until, 0, RT_PLACE);
  if (rt_mode == CONTROL_REPLAY && rt_replay_scheduled()) return replay(t, &a, false);
  int code = REAL(pthread_rwlock_clockrdlock)(l, clock, until);
  if (rt_mode == CONTROL_RECORD) return acquired(t, &a, code);
  if (is_success(code)) hold(t, &a);
  return code;
}

EXPORT int pthread_rwlock_wrlock(pthread_rwlock_t *l) {
  RtThread *t = rt_active();
  if (!t) return REAL(pthread_rwlock_wrlock)(l);
  if (rt_mode == CONTROL_REPLAY && writes(t, l)) return EDEADLK;
  Acquire a = {l, RT_PLACE, TRACE_LOCK, TRACE_NONE, EDEADLK, try_write};
  if (rt_mode == CONTROL_REPLAY) return replay(t, &a, true);
  return acquired(t, &a, REAL(pthread_rwlock_wrlock)(l));
}

EXPORT int pthread_rwlock_trywrlock(pthread_rwlock_t *l) {
  RtThread *t = rt_active();
  if (!t) return REAL(pthread_rwlock_trywrlock)(l);
  Acquire a = {l, RT_PLACE, TRACE_LOCK, TRACE_FAILED_LOCK, EBUSY, try_write};
  if (rt_mode == CONTROL_REPLAY) return replay(t, &a, false);
  return acquired(t, &a, REAL(pthread_rwlock_trywrlock)(l));
}

EXPORT int pthread_rwlock_timedwrlock(pthread_rwlock_t *l, const struct timespec *until) {
  RtThread *t = rt_active();
  if (!t) return REAL(pthread_rwlock_timedwrlock)(l, until);
  Acquire a = {l, RT_PLACE, TRACE_LOCK, TRACE_FAILED_LOCK, ETIMEDOUT, try_write};
  rt_guide_touch(until, sizeof *until, 0, RT_PLACE);
  if (rt_mode == CONTROL_REPLAY && rt_replay_scheduled()) return replay(t, &a, false);
  int code = REAL(pthread_rwlock_timedwrlock)(l, until);
  if (rt_mode == CONTROL_RECORD) return acquired(t, &a, code);
  if (is_success(code)) hold(t, &a);
  return code;
}

EXPORT int pthread_rwlock_clockwrlock(pthread_rwlock_t *l, clockid_t clock,
                                      const struct timespec *until) {
  RtThread *t = rt_active();
  if (!t) return REAL(pthread_rwlock_clockwrlock)(l, clock, until);
  Acquire a = {l, RT_PLACE, TRACE_LOCK, TRACE_FAILED_LOCK, ETIMEDOUT, try_write};
  rt_guide_touch(until, sizeof *until, 0, RT_PLACE);
  if (rt_mode == CONTROL_REPLAY && rt_replay_scheduled()) return replay(t, &a, false);
  int code = REAL(pthread_rwlock_clockwrlock)(l, clock, until);
  if (rt_mode == CONTROL_RECORD) return acquired(t, &a, code);
  if (is_success(code)) hold(t, &a);
  return code;
}

EXPORT int pthread_rwlock_unlock(pthread_rwlock_t *l) {
  return release(l, unlock_rw, RT_PLACE);
}

EXPORT int pthread_rwlock_init(pthread_rwlock_t *l,
                               const pthread_rwlockattr_t *attributes) {
  forget(l, RT_PLACE);
  return REAL(pthread_rwlock_init)(l, attributes);
}

EXPORT int pthread_rwlock_destroy(pthread_rwlock_t *l) {
  forget(l, RT_PLACE);
  return REAL(pthread_rwlock_destroy)(l);
}
