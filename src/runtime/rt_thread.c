/* Threads: creation, end, join, detach. A child is known by who made it and which of its
 * children it is, which is the same in every run that follows the same path. */
#include "runtime/rt.h"

#include <dlfcn.h>
#include <errno.h>

#define EXPORT __attribute__((visibility("default")))

void rt_thread_begin(RtThread *t);

/* A thread that is alone, because all others were joined, accesses memory after them and
 * before those that come later: its accesses are left out. One that was detached, or that
 * ended unjoined, counts for ever. */
static uint32_t others;

void rt_one_more(void) {
  if (!__atomic_exchange_n(&rt_threaded, 1, __ATOMIC_RELAXED)) {
    rt_exit_early();
    if (rt_mode == CONTROL_RECORD && rt_self) rt_early_tell(rt_self);
  }
  /* In a replay, too: atomic operations before it are no steps. */
  if (rt_mode != CONTROL_RECORD) return;
  __atomic_add_fetch(&others, 1, __ATOMIC_RELAXED);
  rt_accesses = 1;
}

static void one_less(void) {
  if (rt_mode == CONTROL_RECORD && __atomic_sub_fetch(&others, 1, __ATOMIC_RELAXED) == 0)
    rt_accesses = 0;
}

static void emit_start(RtThread *t) {
  pthread_attr_t attributes;
  void *stack = NULL;
  size_t size = 0;
  t->busy = true; /* what is allocated meanwhile is nobody's business */
  if (pthread_getattr_np(pthread_self(), &attributes) == 0) {
    pthread_attr_getstack(&attributes, &stack, &size);
    pthread_attr_destroy(&attributes);
  }
  t->busy = false;
  rt_emit(t, TRACE_START, t->parent, (uintptr_t)t->routine, t->index, (uintptr_t)stack,
          size);
}

static void *trampoline(void *data) {
  RtThread *t = data;
  rt_thread_begin(t);
  pthread_sigmask(SIG_SETMASK, &t->signals, NULL);
  if (rt_mode == CONTROL_RECORD) {
    rt_vary_begins();
    emit_start(t);
  } else {
    TraceOp turn = rt_turn(t, TRACE_START, TRACE_NONE, 0);
    rt_turn_done(t, turn);
  }
  return t->routine(t->argument);
}

/* A signal that comes before the thread knows who it is would make it a stranger: the
 * thread begins with all of them blocked. */
static int create_blocked(RtThread *t, pthread_t *handle,
                          const pthread_attr_t *attributes) {
  sigset_t all, mine, wanted;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &mine);
  t->signals = mine;
  if (attributes && pthread_attr_getsigmask_np(attributes, &wanted) == 0)
    t->signals = wanted;
  int result = REAL(pthread_create)(handle, attributes, trampoline, t);
  pthread_sigmask(SIG_SETMASK, &mine, NULL);
  return result;
}

EXPORT int pthread_create(pthread_t *handle, const pthread_attr_t *attributes,
                          void *(*routine)(void *), void *argument) {
  RtThread *self = rt_active();
  if (!self) return REAL(pthread_create)(handle, attributes, routine, argument);
  TraceOp turn = TRACE_NONE;
  rt_guide_touch(handle, sizeof *handle, TRACE_WRITE, RT_PLACE);
  if (rt_mode == CONTROL_REPLAY) {
    turn = rt_turn(self, TRACE_CREATE, TRACE_NONE, RT_PLACE);
    rt_unlock(); /* nobody else has a turn before rt_turn_done */
  }
  rt_one_more();
  RtThread *t = rt_thread_new(self);
  t->routine = routine;
  t->argument = argument;
  if (rt_is_guided()) {
    rt_lock();
    rt_guide_log(self, TRACE_CREATE, 0, t->scheduled, 0, 0);
    rt_unlock();
  }
  if (rt_mode == CONTROL_RECORD)
    rt_emit(self, TRACE_CREATE, t->number, RT_PLACE, 0, 0, 0);
  self->busy = true; /* the stack that it allocates is no event */
  int result = create_blocked(t, handle, attributes);
  self->busy = false;
  if (result == 0) {
    t->handle = *handle;
    rt_vary_created(t);
  } else {
    t->ended = t->joined = true;
    one_less();
  }
  if (rt_mode == CONTROL_REPLAY) {
    rt_lock();
    rt_turn_done(self, turn);
  }
  return result;
}

static int join(pthread_t handle, void **result, uintptr_t pc) {
  RtThread *self = rt_active();
  RtThread *t = self ? rt_thread_find(handle) : NULL;
  if (!t || t == self) return REAL(pthread_join)(handle, result);
  if (rt_mode == CONTROL_RECORD) {
    int code = REAL(pthread_join)(handle, result);
    if (code == 0) {
      t->joined = true;
      rt_emit(self, TRACE_JOIN, t->number, pc, 0, 0, 0);
      one_less();
    }
    return code;
  }
  rt_guide_touch(result, sizeof *result, TRACE_WRITE, pc);
  TraceOp turn = rt_turn_or_leave(self, TRACE_JOIN, pc);
  while (!t->ended) {
    if (rt_cancelled(self)) rt_leave(self);
    self->blocked_thread = t;
    rt_block(self, turn, TRACE_JOIN, (uintptr_t)handle, pc);
  }
  rt_unlock();
  int code = REAL(pthread_join)(handle, result);
  rt_lock();
  t->joined = true;
  rt_guide_log(self, TRACE_JOIN, 0, t->scheduled, 0, 0);
  rt_turn_done(self, turn);
  return code;
}

EXPORT int pthread_join(pthread_t handle, void **result) {
  return join(handle, result, RT_PLACE);
}

/* A join that did not have to wait in our hands has succeeded. */
static void joined(RtThread *self, RtThread *t, uintptr_t pc) {
  t->joined = true;
  if (rt_mode == CONTROL_RECORD) {
    rt_emit(self, TRACE_JOIN, t->number, pc, 0, 0, 0);
    one_less();
  } else
    rt_turn_done(self, rt_turn(self, TRACE_JOIN, TRACE_NONE, pc));
}

EXPORT int pthread_tryjoin_np(pthread_t handle, void **result) {
  RtThread *self = rt_active();
  RtThread *t = self ? rt_thread_find(handle) : NULL;
  int code = REAL(pthread_tryjoin_np)(handle, result);
  if (t && code == 0) joined(self, t, RT_PLACE);
  return code;
}

EXPORT int pthread_timedjoin_np(pthread_t handle, void **result,
                                const struct timespec *until) {
  RtThread *self = rt_active();
  RtThread *t = self ? rt_thread_find(handle) : NULL;
  int code = REAL(pthread_timedjoin_np)(handle, result, until);
  if (t && code == 0) joined(self, t, RT_PLACE);
  return code;
}

EXPORT int pthread_clockjoin_np(pthread_t handle, void **result, clockid_t clock,
                                const struct timespec *until) {
  RtThread *self = rt_active();
  RtThread *t = self ? rt_thread_find(handle) : NULL;
  int code = REAL(pthread_clockjoin_np)(handle, result, clock, until);
  if (t && code == 0) joined(self, t, RT_PLACE);
  return code;
}

/* In a replay the target may wait inside of the runtime: it is told. */
EXPORT int pthread_cancel(pthread_t handle) {
  if (rt_mode != CONTROL_REPLAY || !rt_active()) return REAL(pthread_cancel)(handle);
  rt_lock();
  RtThread *t = rt_threads;
  while (t && (t->ended || !t->handle || !pthread_equal(t->handle, handle))) t = t->next;
  rt_unlock();
  int code = REAL(pthread_cancel)(handle);
  if (t && code == 0) {
    rt_lock();
    t->cancelled = true;
    rt_retry();
    rt_unlock();
  }
  return code;
}

EXPORT int pthread_detach(pthread_t handle) {
  RtThread *t = rt_active() ? rt_thread_find(handle) : NULL;
  if (t) t->joined = true; /* its handle may belong to another one soon */
  return REAL(pthread_detach)(handle);
}

/* Code that comes later has places in the trace, too. */
EXPORT void *dlopen(const char *path, int flags) {
  RtThread *t = rt_active();
  void *library = REAL(dlopen)(path, flags);
  if (t && library && rt_mode == CONTROL_RECORD) rt_emit_modules(t);
  if (t && library && rt_mode == CONTROL_REPLAY) rt_replay_modules();
  return library;
}
