/* Condition variables, semaphores, barriers, pthread_once, annotations.
 *
 * In a replay condition variables and barriers are the runtime's own: who waits, and how
 * many may go on, is counted here, so that the schedule decides who is woken and so that
 * it is known when nobody ever will be. A wake that the recorded run had without a signal
 * is one that POSIX allows. */
#include "runtime/rt.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <stdarg.h>
#include <string.h>

#define EXPORT __attribute__((visibility("default")))

/* ---- the runtime's own state of objects, in a replay ------------------------------ */

typedef struct Object {
  struct Object *next;
  uintptr_t address;
  uint32_t waiters, tokens; /* of a condition variable */
  uint64_t arrivals, woken; /* waits that ever began; of them before the last signal */
  uint32_t count, arrived, round; /* of a barrier */
  RtOnce once;
} Object;

enum { BUCKETS = 1024, CHUNK = 256 };
static Object *buckets[BUCKETS];
static uint32_t objects_made;

/* Big lock held. */
static Object *object_at(const void *address) {
  static Object *chunk;
  static uint32_t left;
  Object **bucket = &buckets[((uintptr_t)address >> 3) % BUCKETS];
  for (Object *o = *bucket; o; o = o->next)
    if (o->address == (uintptr_t)address) return o;
  if (!left) {
    chunk = rt_map(CHUNK * sizeof *chunk);
    left = CHUNK;
  }
  Object *o = &chunk[--left];
  __atomic_add_fetch(&objects_made, 1, __ATOMIC_RELAXED);
  o->address = (uintptr_t)address;
  o->next = *bucket;
  *bucket = o;
  return o;
}

RtOnce *rt_once(const void *address) {
  return &object_at(address)->once;
}

static void begin_anew(Object *o) {
  *o = (Object){.next = o->next, .address = o->address, .round = o->round + 1};
}

static uint32_t object_count(void) {
  return __atomic_load_n(&objects_made, __ATOMIC_RELAXED);
}

/* Its memory is given back, or the object is made anew: what is there next has nothing to
 * do with it. A wait that still goes on there would be the program's error. */
void rt_objects_end(uintptr_t address, size_t size) {
  RtThread *t = rt_mode == CONTROL_REPLAY && object_count() ? rt_active() : NULL;
  if (!t) return;
  rt_lock();
  bool few = object_count() < size / 4;
  for (uint32_t i = 0; few && i < BUCKETS; i++)
    for (Object *o = buckets[i]; o; o = o->next)
      if (o->address - address < size) begin_anew(o);
  for (uintptr_t at = address & ~(uintptr_t)3; !few && at - address + 4 < size + 4;
       at += 4)
    for (Object *o = buckets[(at >> 3) % BUCKETS]; o; o = o->next)
      if (o->address == at) begin_anew(o);
  rt_unlock();
}

static void emit(TraceOp op, const void *object, uintptr_t pc, uint64_t argument) {
  RtThread *t = rt_active();
  if (t && rt_mode == CONTROL_RECORD)
    rt_emit(t, op, (uintptr_t)object, pc, argument, 0, 0);
}

/* ---- condition variables ---------------------------------------------------------- */

/* There is a signal for the wait that was the condition's `arrival`-th. */
static bool is_woken(const Object *o, uint64_t arrival) {
  return o->tokens && arrival <= o->woken;
}

static int replay_wait(RtThread *t, pthread_cond_t *c, pthread_mutex_t *m, bool timed,
                       uintptr_t pc) {
  pthread_testcancel();
  TraceOp turn = rt_turn(t, TRACE_WAIT, TRACE_NONE, pc);
  Object *o = object_at(c);
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
  if (rt_mode == CONTROL_REPLAY) return replay_wait(t, c, m, false, RT_PLACE);
  return recorded_wait(t, c, m, -1, NULL, RT_PLACE);
}

EXPORT int pthread_cond_timedwait(pthread_cond_t *c, pthread_mutex_t *m,
                                  const struct timespec *until) {
  RtThread *t = rt_active();
  if (!t) return REAL(pthread_cond_timedwait)(c, m, until);
  rt_guide_touch(until, sizeof *until, 0, RT_PLACE);
  if (rt_mode == CONTROL_REPLAY) return replay_wait(t, c, m, true, RT_PLACE);
  return recorded_wait(t, c, m, -1, until, RT_PLACE);
}

EXPORT int pthread_cond_clockwait(pthread_cond_t *c, pthread_mutex_t *m, clockid_t clock,
                                  const struct timespec *until) {
  RtThread *t = rt_active();
  if (!t) return REAL(pthread_cond_clockwait)(c, m, clock, until);
  rt_guide_touch(until, sizeof *until, 0, RT_PLACE);
  if (rt_mode == CONTROL_REPLAY) return replay_wait(t, c, m, true, RT_PLACE);
  return recorded_wait(t, c, m, clock, until, RT_PLACE);
}

static int wake(pthread_cond_t *c, TraceOp op, uintptr_t pc) {
  RtThread *t = rt_active();
  if (t && rt_mode == CONTROL_REPLAY) {
    TraceOp turn = rt_turn(t, op, TRACE_NONE, pc);
    Object *o = object_at(c);
    if (o->tokens < o->waiters) o->woken = o->arrivals;
    if (op == TRACE_BROADCAST)
      o->tokens = o->waiters;
    else if (o->tokens < o->waiters)
      o->tokens++;
    rt_guide_log(t, op, (uintptr_t)c, 0, 0, 0);
    rt_retry();
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
  emit(TRACE_FORGET, c, RT_PLACE, 0);
  return REAL(pthread_cond_init)(c, attributes);
}

EXPORT int pthread_cond_destroy(pthread_cond_t *c) {
  emit(TRACE_FORGET, c, RT_PLACE, 0);
  return REAL(pthread_cond_destroy)(c);
}

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
  emit(TRACE_SEM_INIT, s, RT_PLACE, value);
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
  emit(TRACE_FORGET, s, RT_PLACE, 0);
  return REAL(sem_destroy)(s);
}

/* ---- barriers --------------------------------------------------------------------- */

EXPORT int pthread_barrier_init(pthread_barrier_t *b,
                                const pthread_barrierattr_t *attributes, unsigned count) {
  emit(TRACE_BARRIER_INIT, b, RT_PLACE, count);
  if (rt_mode == CONTROL_REPLAY) {
    rt_lock();
    Object *o = object_at(b);
    o->count = count;
    o->arrived = 0;
    rt_unlock();
  }
  return REAL(pthread_barrier_init)(b, attributes, count);
}

EXPORT int pthread_barrier_destroy(pthread_barrier_t *b) {
  emit(TRACE_FORGET, b, RT_PLACE, 0);
  return REAL(pthread_barrier_destroy)(b);
}

static int replay_barrier(RtThread *t, pthread_barrier_t *b, uintptr_t pc) {
  TraceOp turn = rt_turn(t, TRACE_BARRIER_ENTER, TRACE_NONE, pc);
  Object *o = object_at(b);
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

/* ---- once ------------------------------------------------------------------------- */

/* A routine may be left by an exception or because its thread is cancelled: then it
 * counts as not called, and whoever comes next calls it. In the trace the object begins a
 * new life with that. */

typedef struct OnceCall {
  void (*routine)(void);
  pthread_once_t *control;
  uintptr_t pc;
  bool ran;
  struct OnceCall *outer; /* of a call inside of another one's routine */
} OnceCall;

static __thread OnceCall *once_call __attribute__((tls_model("initial-exec")));

static void given_up(void *data) {
  const OnceCall *call = data;
  once_call = call->outer;
  rt_emit(rt_self, TRACE_FORGET, (uintptr_t)call->control, call->pc, 0, 0, 0);
}

static void run_once(void) {
  OnceCall *call = once_call;
  RtThread *t = rt_self;
  call->ran = true;
  rt_emit(t, TRACE_ONCE_RUN, (uintptr_t)call->control, call->pc, 0, 0, 0);
  pthread_cleanup_push(given_up, call);
  call->routine();
  pthread_cleanup_pop(0);
  rt_emit(t, TRACE_ONCE_END, (uintptr_t)call->control, call->pc, 0, 0, 0);
}

void rt_once_await(RtThread *t, RtOnce *once, TraceOp turn, uintptr_t object,
                   uintptr_t pc) {
  while (once->state == RT_ONCE_RUNS) {
    t->blocked_thread = once->runner;
    rt_block(t, turn, TRACE_ONCE_SEEN, object, pc);
  }
}

void rt_once_begin(RtThread *t, RtOnce *once, TraceOp turn) {
  *once = (RtOnce){RT_ONCE_RUNS, t};
  rt_turn_done(t, turn);
}

void rt_once_give_up(RtOnce *once) {
  rt_lock();
  *once = (RtOnce){0};
  rt_retry();
  rt_unlock();
}

void rt_once_end(RtThread *t, RtOnce *once, uintptr_t pc) {
  TraceOp turn = rt_turn(t, TRACE_ONCE_END, TRACE_NONE, pc);
  *once = (RtOnce){RT_ONCE_DONE, NULL};
  rt_guide_log(t, TRACE_ONCE_END, (uintptr_t)once, 0, 0, 0);
  rt_retry();
  rt_turn_done(t, turn);
}

static void replay_given_up(void *data) {
  rt_once_give_up(data);
}

static int replay_once(RtThread *t, pthread_once_t *o, void (*routine)(void),
                       uintptr_t pc) {
  TraceOp turn = rt_turn(t, TRACE_ONCE_RUN, TRACE_ONCE_SEEN, pc);
  RtOnce *once = rt_once(o);
  /* What is done is never undone: this is another object in the same memory. */
  if (once->state == RT_ONCE_DONE && *(volatile pthread_once_t *)o == PTHREAD_ONCE_INIT)
    once->state = 0;
  rt_once_await(t, once, turn, (uintptr_t)o, pc);
  if (once->state == 0) {
    int code;
    rt_once_begin(t, once, turn);
    pthread_cleanup_push(replay_given_up, once);
    code = REAL(pthread_once)(o, routine);
    pthread_cleanup_pop(0);
    rt_once_end(t, once, pc);
    return code;
  }
  rt_guide_log(t, TRACE_ONCE_SEEN, (uintptr_t)once, 0, 0, 0);
  rt_turn_done(t, turn);
  return 0;
}

/* What unwinds the stack for exceptions and cancellation has a once of its own, in the
 * middle of whatever the program does: it is none of the program's steps. */
#pragma weak _dl_find_object /* not in the older ones of the C library */
static bool is_unwinder(pthread_once_t *o) {
  static pthread_once_t *known;
  static const char name[] = "libgcc_s.so";
  struct dl_find_object found;
  if (__atomic_load_n(&known, __ATOMIC_RELAXED) == o) return true;
  if (!_dl_find_object || _dl_find_object(o, &found) != 0) return false;
  const char *path = found.dlfo_link_map->l_name;
  size_t at = rt_length(path), same = 0;
  while (at && path[at - 1] != '/') at--;
  while (name[same] && path[at + same] == name[same]) same++;
  if (name[same]) return false;
  __atomic_store_n(&known, o, __ATOMIC_RELAXED);
  return true;
}

static int call_once_at(pthread_once_t *o, void (*routine)(void), uintptr_t pc) {
  RtThread *t = is_unwinder(o) ? NULL : rt_active();
  if (!t) return REAL(pthread_once)(o, routine);
  if (rt_mode == CONTROL_REPLAY) return replay_once(t, o, routine, pc);
  OnceCall call = {routine, o, pc, false, once_call};
  once_call = &call;
  int code = REAL(pthread_once)(o, run_once);
  once_call = call.outer;
  if (!call.ran) rt_emit(t, TRACE_ONCE_SEEN, (uintptr_t)o, pc, 0, 0, 0);
  return code;
}

EXPORT int pthread_once(pthread_once_t *o, void (*routine)(void)) {
  return call_once_at(o, routine, RT_PLACE);
}

int rt_call_once(pthread_once_t *o, void (*routine)(void), uintptr_t pc);
int rt_call_once(pthread_once_t *o, void (*routine)(void), uintptr_t pc) {
  return call_once_at(o, routine, pc);
}

/* ---- annotations ------------------------------------------------------------------ */

static void annotate(TraceOp op, const volatile void *object, uintptr_t pc) {
  RtThread *t = rt_active();
  if (!t) return;
  if (rt_mode == CONTROL_RECORD)
    rt_emit(t, op, (uintptr_t)object, pc, 0, 0, 0);
  else {
    TraceOp turn = rt_turn(t, op, TRACE_NONE, pc);
    rt_guide_log(t, op, (uintptr_t)object, 0, 0, 0);
    rt_turn_done(t, turn);
  }
}

EXPORT void AnnotateHappensBefore(const char *file, int line,
                                  const volatile void *object);
EXPORT void AnnotateHappensAfter(const char *file, int line, const volatile void *object);
void AnnotateHappensBefore(const char *file, int line, const volatile void *object) {
  (void)file, (void)line;
  annotate(TRACE_BEFORE, object, RT_PLACE);
}
void AnnotateHappensAfter(const char *file, int line, const volatile void *object) {
  (void)file, (void)line;
  annotate(TRACE_AFTER, object, RT_PLACE);
}
