/* Semaphores and barriers. In a replay barriers are the runtime's own, as condition variables
 * are (rt_cond.c). */
#include "runtime/rt_object.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>

#define EXPORT __attribute__((visibility("default")))

/* ---- semaphores ------------------------------------------------------------------- */

static int replay_sem(RtThread *t, sem_t *s, TraceOp failed, int failure, bool wait,
                      uintptr_t pc) {
  TraceOp turn = wait ? rt_turn_or_leave(t, TRACE_SEM_WAIT, pc)
                      : rt_turn(t, TRACE_SEM_WAIT, failed, pc);
  int code = -1;
  if (turn != failed || turn == TRACE_NONE)
    while ((code = REAL(sem_trywait)(s)) != 0 && errno == EAGAIN && wait) {
      if (rt_cancelled(t)) rt_leave(t);
      rt_block(t, turn, TRACE_SEM_WAIT, (uintptr_t)s, pc);
    }
  if (code == 0) rt_guide_log(t, TRACE_SEM_WAIT, (uintptr_t)s, 0, 0, 0);
  rt_turn_done(t, turn);
  if (code != 0) errno = failure;
  return code;
}

static int recorded_sem(RtThread *t, sem_t *s, int code, uintptr_t pc) {
  int saved = errno;
  if (code == 0)
    rt_emit(t, TRACE_SEM_WAIT, (uintptr_t)s, pc, 0, 0, 0);
  else if (saved == EAGAIN || saved == ETIMEDOUT)
    rt_emit(t, TRACE_FAILED_SEM_WAIT, (uintptr_t)s, pc, 0, 0, 0);
  errno = saved;
  return code;
}

EXPORT int sem_wait(sem_t *s) {
  RtThread *t = rt_active();
  if (!t) return REAL(sem_wait)(s);
  if (rt_mode == CONTROL_REPLAY)
    return replay_sem(t, s, TRACE_NONE, EINTR, true, RT_PLACE);
  return recorded_sem(t, s, REAL(sem_wait)(s), RT_PLACE);
}

EXPORT int sem_trywait(sem_t *s) {
  RtThread *t = rt_active();
  if (!t) return REAL(sem_trywait)(s);
  if (rt_mode == CONTROL_REPLAY)
    return replay_sem(t, s, TRACE_FAILED_SEM_WAIT, EAGAIN, false, RT_PLACE);
  return recorded_sem(t, s, REAL(sem_trywait)(s), RT_PLACE);
}

EXPORT int sem_timedwait(sem_t *s, const struct timespec *until) {
  RtThread *t = rt_active();
  if (!t) return REAL(sem_timedwait)(s, until);
  rt_guide_touch(until, sizeof *until, 0, RT_PLACE);
  if (rt_mode == CONTROL_REPLAY && rt_replay_scheduled())
    return replay_sem(t, s, TRACE_FAILED_SEM_WAIT, ETIMEDOUT, false, RT_PLACE);
  int code = REAL(sem_timedwait)(s, until);
  return rt_mode == CONTROL_RECORD ? recorded_sem(t, s, code, RT_PLACE) : code;
}

EXPORT int sem_clockwait(sem_t *s, clockid_t clock, const struct timespec *until) {
  RtThread *t = rt_active();
  if (!t) return REAL(sem_clockwait)(s, clock, until);
  rt_guide_touch(until, sizeof *until, 0, RT_PLACE);
  if (rt_mode == CONTROL_REPLAY && rt_replay_scheduled())
    return replay_sem(t, s, TRACE_FAILED_SEM_WAIT, ETIMEDOUT, false, RT_PLACE);
  int code = REAL(sem_clockwait)(s, clock, until);
  return rt_mode == CONTROL_RECORD ? recorded_sem(t, s, code, RT_PLACE) : code;
}

EXPORT int sem_post(sem_t *s) {
  RtThread *t = rt_active();
  if (t && rt_mode == CONTROL_REPLAY) {
    TraceOp turn = rt_turn(t, TRACE_SEM_POST, TRACE_NONE, RT_PLACE);
    int code = REAL(sem_post)(s);
    rt_guide_log(t, TRACE_SEM_POST, (uintptr_t)s, 0, 0, 0);
    rt_retry();
    rt_turn_done(t, turn);
    return code;
  }
  if (!t && rt_mode == CONTROL_REPLAY) { /* a signal handler, while its thread is busy */
    int code = REAL(sem_post)(s);
    __atomic_store_n(&rt_posted, 1, __ATOMIC_RELEASE);
    return code;
  }
  if (t) rt_emit(t, TRACE_SEM_POST, (uintptr_t)s, RT_PLACE, 0, 0, 0);
  return REAL(sem_post)(s);
}

EXPORT int sem_init(sem_t *s, int shared, unsigned value) {
  rt_emit_object(TRACE_SEM_INIT, s, RT_PLACE, value);
  return REAL(sem_init)(s, shared, value);
}

/* One with a name. The C library gives out the same object again for a name that is open
 * already: it goes on as it is. */
static bool is_new(const sem_t *s) {
  enum { MOST_NAMED = 256 };
  static const sem_t *named[MOST_NAMED];
  static uint32_t count;
  rt_lock();
  bool known = count == MOST_NAMED;
  for (uint32_t i = 0; i < count; i++) known |= named[i] == s;
  if (!known) named[count++] = s;
  rt_unlock();
  return !known;
}

EXPORT sem_t *sem_open(const char *name, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  mode_t mode = flags & O_CREAT ? va_arg(rest, mode_t) : 0;
  unsigned value = flags & O_CREAT ? va_arg(rest, unsigned) : 0;
  va_end(rest);
  sem_t *s = REAL(sem_open)(name, flags, mode, value);
  RtThread *t = s != SEM_FAILED ? rt_active() : NULL;
  int now = 0;
  if (t && rt_mode == CONTROL_RECORD && is_new(s) && sem_getvalue(s, &now) == 0)
    rt_emit(t, TRACE_SEM_INIT, (uintptr_t)s, RT_PLACE, (uint64_t)now, 0, 0);
  return s;
}

EXPORT int sem_destroy(sem_t *s) {
  rt_emit_object(TRACE_FORGET, s, RT_PLACE, 0);
  return REAL(sem_destroy)(s);
}

/* ---- barriers --------------------------------------------------------------------- */

EXPORT int pthread_barrier_init(pthread_barrier_t *b,
                                const pthread_barrierattr_t *attributes, unsigned count) {
  rt_emit_object(TRACE_BARRIER_INIT, b, RT_PLACE, count);
  if (rt_mode == CONTROL_REPLAY) {
    rt_lock();
    RtObject *o = rt_object_at(b);
    o->count = count;
    o->arrived = 0;
    rt_unlock();
  }
  return REAL(pthread_barrier_init)(b, attributes, count);
}

EXPORT int pthread_barrier_destroy(pthread_barrier_t *b) {
  rt_emit_object(TRACE_FORGET, b, RT_PLACE, 0);
  return REAL(pthread_barrier_destroy)(b);
}

static int replay_barrier(RtThread *t, pthread_barrier_t *b, uintptr_t pc) {
  TraceOp turn = rt_turn(t, TRACE_BARRIER_ENTER, TRACE_NONE, pc);
  RtObject *o = rt_object_at(b);
  uint32_t round = o->round;
  bool last = ++o->arrived >= o->count;
  rt_guide_log(t, TRACE_BARRIER_ENTER, (uintptr_t)b, 0, 0, 0);
  if (last) {
    o->arrived = 0;
    o->round++;
    rt_retry();
  }
  rt_turn_done(t, turn);
  turn = rt_turn(t, TRACE_BARRIER_EXIT, TRACE_NONE, pc);
  while (o->round == round) rt_block(t, turn, TRACE_BARRIER_EXIT, (uintptr_t)b, pc);
  rt_guide_log(t, TRACE_BARRIER_EXIT, (uintptr_t)b, 0, 0, 0);
  rt_turn_done(t, turn);
  return last ? PTHREAD_BARRIER_SERIAL_THREAD : 0;
}

EXPORT int pthread_barrier_wait(pthread_barrier_t *b) {
  RtThread *t = rt_active();
  if (!t) return REAL(pthread_barrier_wait)(b);
  if (rt_mode == CONTROL_REPLAY) return replay_barrier(t, b, RT_PLACE);
  rt_emit(t, TRACE_BARRIER_ENTER, (uintptr_t)b, RT_PLACE, 0, 0, 0);
  int code = REAL(pthread_barrier_wait)(b);
  rt_emit(t, TRACE_BARRIER_EXIT, (uintptr_t)b, RT_PLACE, 0, 0, 0);
  return code;
}
