/* Threads of C11, by those of POSIX: in the C library they are the same objects, and only
 * the result codes differ. The place in the code is that of the caller, so it is left for
 * the inner function, until the result code is made. */
#include "runtime/rt.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <threads.h>

#define EXPORT __attribute__((visibility("default")))

int rt_call_once(pthread_once_t *o, void (*routine)(void), uintptr_t pc);

static int result_of(int code) {
  rt_outer_pc = 0;
  switch (code) {
  case 0: return thrd_success;
  case ENOMEM: return thrd_nomem;
  case ETIMEDOUT: return thrd_timedout;
  case EBUSY: return thrd_busy;
  default: return thrd_error;
  }
}

typedef struct {
  thrd_start_t routine;
  void *argument;
} Start;

static void *run(void *data) {
  Start start = *(Start *)data;
  rt_unmap(data, sizeof start);
  return (void *)(intptr_t)start.routine(start.argument);
}

EXPORT int thrd_create(thrd_t *thread, thrd_start_t routine, void *argument) {
  rt_outer_pc = RT_CALLER;
  Start *start = rt_map(sizeof *start);
  *start = (Start){routine, argument};
  return result_of(pthread_create((pthread_t *)thread, NULL, run, start));
}

EXPORT int thrd_join(thrd_t thread, int *result) {
  rt_outer_pc = RT_CALLER;
  void *value = NULL;
  int code = pthread_join((pthread_t)thread, &value);
  if (code == 0 && result) *result = (int)(intptr_t)value;
  return result_of(code);
}

EXPORT int thrd_detach(thrd_t thread) {
  rt_outer_pc = RT_CALLER;
  return result_of(pthread_detach((pthread_t)thread));
}

EXPORT _Noreturn void thrd_exit(int result) {
  pthread_exit((void *)(intptr_t)result);
}

EXPORT int mtx_init(mtx_t *m, int type) {
  rt_outer_pc = RT_CALLER;
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_settype(&attributes, type & mtx_recursive ? PTHREAD_MUTEX_RECURSIVE
                                                              : PTHREAD_MUTEX_NORMAL);
  int code = pthread_mutex_init((pthread_mutex_t *)m, &attributes);
  pthread_mutexattr_destroy(&attributes);
  return result_of(code);
}

EXPORT void mtx_destroy(mtx_t *m) {
  rt_outer_pc = RT_CALLER;
  pthread_mutex_destroy((pthread_mutex_t *)m);
  rt_outer_pc = 0;
}
EXPORT int mtx_lock(mtx_t *m) {
  rt_outer_pc = RT_CALLER;
  return result_of(pthread_mutex_lock((pthread_mutex_t *)m));
}
EXPORT int mtx_trylock(mtx_t *m) {
  rt_outer_pc = RT_CALLER;
  return result_of(pthread_mutex_trylock((pthread_mutex_t *)m));
}
EXPORT int mtx_timedlock(mtx_t *restrict m, const struct timespec *restrict until) {
  rt_outer_pc = RT_CALLER;
  return result_of(pthread_mutex_timedlock((pthread_mutex_t *)m, until));
}
EXPORT int mtx_unlock(mtx_t *m) {
  rt_outer_pc = RT_CALLER;
  return result_of(pthread_mutex_unlock((pthread_mutex_t *)m));
}
EXPORT int cnd_init(cnd_t *c) {
  rt_outer_pc = RT_CALLER;
  return result_of(pthread_cond_init((pthread_cond_t *)c, NULL));
}
EXPORT void cnd_destroy(cnd_t *c) {
  rt_outer_pc = RT_CALLER;
  pthread_cond_destroy((pthread_cond_t *)c);
  rt_outer_pc = 0;
}
EXPORT int cnd_wait(cnd_t *c, mtx_t *m) {
  rt_outer_pc = RT_CALLER;
  return result_of(pthread_cond_wait((pthread_cond_t *)c, (pthread_mutex_t *)m));
}
EXPORT int cnd_timedwait(cnd_t *restrict c, mtx_t *restrict m,
                         const struct timespec *restrict until) {
  rt_outer_pc = RT_CALLER;
  return result_of(
      pthread_cond_timedwait((pthread_cond_t *)c, (pthread_mutex_t *)m, until));
}
EXPORT int cnd_signal(cnd_t *c) {
  rt_outer_pc = RT_CALLER;
  return result_of(pthread_cond_signal((pthread_cond_t *)c));
}
EXPORT int cnd_broadcast(cnd_t *c) {
  rt_outer_pc = RT_CALLER;
  return result_of(pthread_cond_broadcast((pthread_cond_t *)c));
}
EXPORT void call_once(once_flag *flag, void (*routine)(void)) {
  rt_call_once((pthread_once_t *)flag, routine, RT_CALLER);
}
