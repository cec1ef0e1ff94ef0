/* Static variables of C++ functions, which are made when a thread comes there first.
 *
 * Compilers ask a byte, the guard, whether the variable is there. If not, the C++ library
 * says who makes it, and lets others wait. That is a routine that runs once, and is told
 * as such (see rt_once.c). clang's question is a call of __heddle_guard_load, which heddle
 * puts in the place of the atomic load (front/llvm/twin.c): a variable that is there is
 * seen, which is an event when the thread sees it first. gcc's is an atomic load as any
 * other.
 *
 * In a replay the question is the step: it waits for its turn and for whoever makes the
 * variable. What the library is asked then has its answer. */
#include "runtime/rt_next.h"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#define EXPORT __attribute__((visibility("default"), weak))

#define FUNCTIONS(X)                                                                     \
  X(int, __cxa_guard_acquire, (int64_t *))                                               \
  X(void, __cxa_guard_release, (int64_t *))                                              \
  X(void, __cxa_guard_abort, (int64_t *))
RT_NEXT(FUNCTIONS)

int __cxa_guard_acquire(int64_t *guard);
void __cxa_guard_release(int64_t *guard);
void __cxa_guard_abort(int64_t *guard);
EXPORT uint8_t __heddle_guard_load(const volatile uint8_t *guard, int order);

/* ---- where the C++ library is linked statically ----------------------------------- */

/* Then these functions took the place of its own, and there is nobody to ask. */
enum { DONE = 1, MAKING = 1 << 8, AWAITED = 1 << 16 };

static int acquire(int64_t *guard) {
  if (REAL_OF(__cxa_guard_acquire)) return real.__cxa_guard_acquire(guard);
  int *word = (int *)guard, now = 0;
  while (!__atomic_compare_exchange_n(word, &now, MAKING, false, __ATOMIC_ACQUIRE,
                                      __ATOMIC_ACQUIRE)) {
    if (now & DONE) return 0;
    int wanted = now | AWAITED;
    if (now == wanted || __atomic_compare_exchange_n(word, &now, wanted, false,
                                                     __ATOMIC_RELAXED, __ATOMIC_RELAXED))
      rt_futex_wait(word, wanted);
    now = 0;
  }
  return 1;
}

static void leave(int64_t *guard, void (*library)(int64_t *), int state) {
  int *word = (int *)guard;
  if (library)
    library(guard);
  else if (__atomic_exchange_n(word, state, __ATOMIC_RELEASE) & AWAITED)
    rt_futex_wake(word);
}

/* ---- what a thread knows ----------------------------------------------------------- */

static uintptr_t *memory_of(RtThread *t, const volatile void *guard) {
  return &t->guards[((uintptr_t)guard >> 3) % RT_GUARDS];
}

static bool is_done(const volatile void *guard) {
  return __atomic_load_n((const volatile uint8_t *)guard, __ATOMIC_ACQUIRE) & DONE;
}

static bool knows(RtThread *t, const volatile void *guard) {
  return *memory_of(t, guard) == (uintptr_t)guard && is_done(guard);
}

static void see(RtThread *t, const volatile void *guard, uintptr_t pc) {
  if (knows(t, guard)) return;
  *memory_of(t, guard) = (uintptr_t)guard;
  if (rt_mode == CONTROL_RECORD)
    rt_emit(t, TRACE_ONCE_SEEN, (uintptr_t)guard, pc, 0, 0, 0);
}

/* In a replay: true when the variable is there; otherwise the thread is to make it. */
static bool replay_question(RtThread *t, const volatile void *guard, uintptr_t pc) {
  if (knows(t, guard)) return true;
  TraceOp turn = rt_turn(t, TRACE_ONCE_RUN, TRACE_ONCE_SEEN, pc);
  RtOnce *once = rt_once((const void *)guard);
  if (is_done(guard)) once->state = RT_ONCE_DONE;
  if (once->state == RT_ONCE_DONE && !is_done(guard)) once->state = 0;
  if (once->runner != t) rt_once_await(t, once, turn, (uintptr_t)guard, pc);
  if (once->state == RT_ONCE_DONE) {
    see(t, guard, pc);
    rt_turn_done(t, turn);
    return true;
  }
  rt_once_begin(t, once, turn);
  return false;
}

/* ---- what compilers call ----------------------------------------------------------- */

uint8_t __heddle_guard_load(const volatile uint8_t *guard, int order) {
  (void)order;
  RtThread *t = rt_active();
  if (!t) return is_done(guard);
  if (rt_mode == CONTROL_REPLAY) {
    bool there = replay_question(t, guard, RT_CALLER);
    t->guard = there ? 0 : (uintptr_t)guard;
    return there;
  }
  if (!is_done(guard)) return 0;
  see(t, guard, RT_CALLER);
  return DONE;
}

EXPORT int __cxa_guard_acquire(int64_t *guard) {
  RtThread *t = rt_active();
  if (!t) return acquire(guard);
  if (rt_mode == CONTROL_REPLAY) {
    bool asked = t->guard == (uintptr_t)guard;
    t->guard = 0;
    return (asked || !replay_question(t, guard, RT_CALLER)) && acquire(guard);
  }
  int mine = acquire(guard);
  if (mine)
    rt_emit(t, TRACE_ONCE_RUN, (uintptr_t)guard, RT_CALLER, 0, 0, 0);
  else
    see(t, guard, RT_CALLER);
  return mine;
}

EXPORT void __cxa_guard_release(int64_t *guard) {
  RtThread *t = rt_active();
  if (t) *memory_of(t, guard) = (uintptr_t)guard;
  if (t && rt_mode == CONTROL_RECORD)
    rt_emit(t, TRACE_ONCE_END, (uintptr_t)guard, RT_CALLER, 0, 0, 0);
  leave(guard, REAL_OF(__cxa_guard_release), DONE);
  if (!t || rt_mode != CONTROL_REPLAY) return;
  rt_lock();
  RtOnce *once = rt_once(guard);
  rt_unlock();
  rt_once_end(t, once, RT_CALLER);
}

EXPORT void __cxa_guard_abort(int64_t *guard) {
  RtThread *t = rt_active();
  if (t && rt_mode == CONTROL_RECORD)
    rt_emit(t, TRACE_FORGET, (uintptr_t)guard, RT_CALLER, 0, 0, 0);
  leave(guard, REAL_OF(__cxa_guard_abort), 0);
  if (!t || rt_mode != CONTROL_REPLAY) return;
  rt_lock();
  RtOnce *once = rt_once(guard);
  rt_unlock();
  rt_once_give_up(once);
}
