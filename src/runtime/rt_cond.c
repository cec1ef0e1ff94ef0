/* Condition variables.
 *
 * In a replay they are the runtime's own: who waits, and how many may go on, is counted here,
 * so that the schedule decides who is woken and so that it is known when nobody ever will be.
 * A wake that the recorded run had without a signal is one that POSIX allows.
 *
 * On the way to a race, after the last step, a wait with a limit of time is over when its time
 * has come, or when nothing else goes on: time passes while all wait. A thread that polls in
 * this way moves nothing (RtThread.polls). */
#include "runtime/rt_object.h"

#include <errno.h>
#include <sys/syscall.h>
#include <time.h>

#define EXPORT __attribute__((visibility("default")))

/* There is a signal for the wait that was the condition's `arrival`-th. */
static bool is_woken(const RtObject *o, uint64_t arrival) {
  return o->tokens && arrival <= o->woken;
}

/* By which clock the limit is meant the number tells: one counts from 1970, the other from the
 * start of the machine. */
static bool is_over(const struct timespec *until) {
  struct timespec now;
  rt_system(SYS_clock_gettime, CLOCK_REALTIME, (long)&now, 0, 0, 0, 0);
  if (until->tv_sec < now.tv_sec / 2)
    rt_system(SYS_clock_gettime, CLOCK_MONOTONIC, (long)&now, 0, 0, 0, 0);
  return now.tv_sec != until->tv_sec ? now.tv_sec > until->tv_sec
                                     : now.tv_nsec >= until->tv_nsec;
}

static bool time_passes(void) {
  return rt_control->hold_count && rt_control->outcome == CONTROL_FOLLOWED &&
         !rt_is_guided();
}

/* Waits for a signal as long as time passes. */
static void await_signal(RtThread *t, pthread_cond_t *c, const RtObject *o,
                         uint64_t arrival, const struct timespec *until) {
  t->timed = (uintptr_t)c;
  while (time_passes() && !is_woken(o, arrival) && !is_over(until) && !rt_cancelled(t))
    if (!rt_replay_sleep(t, RT_LOOK) && rt_stands_still(t)) break;
  t->timed = 0;
  t->polls = !is_woken(o, arrival);
  t->polled = rt_replay_moves();
}

/* Those in await_signal. */
static void wake_timed(const pthread_cond_t *c) {
  for (RtThread *t = rt_threads; t; t = t->next)
    if (t->timed == (uintptr_t)c) rt_replay_wake(t);
}

static void used(const pthread_cond_t *c, uintptr_t pc) {
  if (rt_condition_used) rt_condition_used(c, pc);
}

static int replay_wait(RtThread *t, pthread_cond_t *c, pthread_mutex_t *m,
                       const struct timespec *until, uintptr_t pc) {
  bool timed = until != NULL;
  pthread_testcancel();
  used(c, pc);
  TraceOp turn = rt_turn(t, TRACE_WAIT, TRACE_NONE, pc);
  RtObject *o = rt_object_at(c);
  uint64_t arrival = ++o->arrivals; /* only signals that come later are for this wait */
  o->waiters++;
  RtHeld mine = {(uintptr_t)m, pc, 1, false, false};
  for (uint32_t i = 0; i < t->held_count; i++)
    if (t->held[i].object == (uintptr_t)m) mine = t->held[i];
  while (!rt_drop_lock(t, (uintptr_t)m)) {
  }
  REAL(pthread_mutex_unlock)(m);
  rt_guide_log(t, TRACE_WAIT, (uintptr_t)c, (uintptr_t)m, 0, 0);
  rt_retry();
  rt_turn_done(t, turn);
  turn = rt_turn(t, TRACE_WOKEN, TRACE_TIMED_OUT, pc);
  bool late = turn == TRACE_TIMED_OUT, cancelled = false;
  /* A wait without a limit that was not woken had been cancelled. */
  if (late && !timed) late = cancelled = rt_await_cancel(t);
  if (turn == TRACE_TIMED_OUT && !late) turn = rt_astray(t, TRACE_WOKEN, pc);
  if (timed && turn == TRACE_NONE && !t->extra) await_signal(t, c, o, arrival, until);
  while (turn == TRACE_NONE && !is_woken(o, arrival) && !timed &&
         !(late = cancelled = rt_cancelled(t)))
    rt_block(t, turn, TRACE_WOKEN, (uintptr_t)c, pc);
  if (!late && !is_woken(o, arrival)) late = timed && turn == TRACE_NONE;
  /* A schedule may wake a thread up for no reason, which is allowed; but the signals that
   * came before its wait are for those who waited then. */
  if (!late && is_woken(o, arrival)) o->tokens--;
  if (o->waiters) o->waiters--;
  while (REAL(pthread_mutex_trylock)(m) == EBUSY)
    rt_block(t, turn, TRACE_LOCK, (uintptr_t)m, pc);
  rt_hold_lock(t, (uintptr_t)m, pc, false);
  for (uint32_t i = 0; i < t->held_count; i++)
    if (t->held[i].object == (uintptr_t)m) t->held[i] = mine;
  rt_guide_log(t, TRACE_WOKEN, (uintptr_t)c, (uintptr_t)m, 0, 0);
  rt_turn_done(t, turn);
  if (cancelled) pthread_testcancel();
  return late ? ETIMEDOUT : 0;
}

/* While recording: a wait that does not return, because the thread is cancelled in it.
 * The mutex is held again, and the thread was not woken: that is how it goes when time is
 * over. */
typedef struct {
  RtThread *t;
  pthread_cond_t *c;
  pthread_mutex_t *m;
  uintptr_t pc;
} Wait;

static void wait_cancelled(void *data) {
  const Wait *w = data;
  rt_emit(w->t, TRACE_TIMED_OUT, (uintptr_t)w->c, w->pc, (uintptr_t)w->m, 0, 0);
}

/* `clock` is -1 for that of the condition variable; without `until` it has no limit. */
static int recorded_wait(RtThread *t, pthread_cond_t *c, pthread_mutex_t *m,
                         clockid_t clock, const struct timespec *until, uintptr_t pc) {
  Wait w = {t, c, m, pc};
  int code;
  used(c, pc);
  rt_emit(t, TRACE_WAIT, (uintptr_t)c, pc, (uintptr_t)m, 0, 0);
  pthread_cleanup_push(wait_cancelled, &w);
  code = !until        ? REAL(pthread_cond_wait)(c, m)
         : clock == -1 ? REAL(pthread_cond_timedwait)(c, m, until)
                       : REAL(pthread_cond_clockwait)(c, m, clock, until);
  pthread_cleanup_pop(0);
  rt_emit(t, code == ETIMEDOUT ? TRACE_TIMED_OUT : TRACE_WOKEN, (uintptr_t)c, pc,
          (uintptr_t)m, 0, 0);
  return code;
}

EXPORT int pthread_cond_wait(pthread_cond_t *c, pthread_mutex_t *m) {
  RtThread *t = rt_active();
  if (!t) return REAL(pthread_cond_wait)(c, m);
  if (rt_mode == CONTROL_REPLAY) return replay_wait(t, c, m, NULL, RT_PLACE);
  return recorded_wait(t, c, m, -1, NULL, RT_PLACE);
}

EXPORT int pthread_cond_timedwait(pthread_cond_t *c, pthread_mutex_t *m,
                                  const struct timespec *until) {
  RtThread *t = rt_active();
  if (!t) return REAL(pthread_cond_timedwait)(c, m, until);
  rt_guide_touch(until, sizeof *until, 0, RT_PLACE);
  if (rt_mode == CONTROL_REPLAY) return replay_wait(t, c, m, until, RT_PLACE);
  return recorded_wait(t, c, m, -1, until, RT_PLACE);
}

EXPORT int pthread_cond_clockwait(pthread_cond_t *c, pthread_mutex_t *m, clockid_t clock,
                                  const struct timespec *until) {
  RtThread *t = rt_active();
  if (!t) return REAL(pthread_cond_clockwait)(c, m, clock, until);
  rt_guide_touch(until, sizeof *until, 0, RT_PLACE);
  if (rt_mode == CONTROL_REPLAY) return replay_wait(t, c, m, until, RT_PLACE);
  return recorded_wait(t, c, m, clock, until, RT_PLACE);
}

static int wake(pthread_cond_t *c, TraceOp op, uintptr_t pc) {
  RtThread *t = rt_active();
  if (t) used(c, pc);
  if (t && rt_mode == CONTROL_REPLAY) {
    TraceOp turn = rt_turn(t, op, TRACE_NONE, pc);
    RtObject *o = rt_object_at(c);
    if (o->tokens < o->waiters) o->woken = o->arrivals;
    if (op == TRACE_BROADCAST)
      o->tokens = o->waiters;
    else if (o->tokens < o->waiters)
      o->tokens++;
    rt_guide_log(t, op, (uintptr_t)c, 0, 0, 0);
    rt_retry();
    wake_timed(c);
    rt_turn_done(t, turn); /* and those of other processes, if there are any: */
  } else if (t) {
    rt_emit(t, op, (uintptr_t)c, pc, 0, 0, 0);
  }
  return op == TRACE_SIGNAL ? REAL(pthread_cond_signal)(c)
                            : REAL(pthread_cond_broadcast)(c);
}

EXPORT int pthread_cond_signal(pthread_cond_t *c) {
  return wake(c, TRACE_SIGNAL, RT_PLACE);
}

EXPORT int pthread_cond_broadcast(pthread_cond_t *c) {
  return wake(c, TRACE_BROADCAST, RT_PLACE);
}

EXPORT int pthread_cond_init(pthread_cond_t *c, const pthread_condattr_t *attributes) {
  rt_objects_end((uintptr_t)c, sizeof *c);
  rt_emit_object(TRACE_FORGET, c, RT_PLACE, 0);
  return REAL(pthread_cond_init)(c, attributes);
}

EXPORT int pthread_cond_destroy(pthread_cond_t *c) {
  if (rt_condition_ends) rt_condition_ends(c, RT_PLACE);
  rt_emit_object(TRACE_FORGET, c, RT_PLACE, 0);
  return REAL(pthread_cond_destroy)(c);
}
