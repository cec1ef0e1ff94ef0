/* pthread_once, and annotations. */
#include "runtime/rt.h"

#include <dlfcn.h>
#include <link.h>
#include <string.h>

#define EXPORT __attribute__((visibility("default")))

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
