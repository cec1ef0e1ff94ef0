/* Atomic operations, of all sizes, as clang and gcc call them under -fsanitize=thread.
 *
 * While recording, an operation and its number in the order of events belong together: a
 * lock chosen by the address keeps others out meanwhile. A load that repeats the thread's
 * last event with the same value (waiting in a loop) is not told again; the same rule
 * holds in the replay, so that both count the same events. The orders asked for are
 * strengthened to sequential consistency, which every program must live with.
 *
 * A signal handler that interrupts an operation must not wait for the lock that its own
 * thread has: what it does atomically meanwhile is done, but not told. */
#include "runtime/rt.h"

#define EXPORT __attribute__((visibility("default")))

enum { LOCKS = 64 };
static struct {
  _Alignas(64) int taken;
} locks[LOCKS];

static int *lock_of(const volatile void *p) {
  return &locks[((uintptr_t)p >> 3) % LOCKS].taken;
}

static void take(int *lock) {
  while (__atomic_exchange_n(lock, 1, __ATOMIC_ACQUIRE)) __builtin_ia32_pause();
}

static void leave(int *lock) {
  __atomic_store_n(lock, 0, __ATOMIC_RELEASE);
}

static RtThread *active(void) {
  RtThread *t = rt_active();
  return t && rt_threaded && !t->ignoring && !t->in_atomic ? t : NULL;
}

/* What is left of the value in 64 bits. */
#define VALUE(v)                                                                         \
  ((uint64_t)(v) ^ (uint64_t)(sizeof(v) > 8 ? (unsigned __int128)(v) >> 64 : 0))

static bool repeats(RtThread *t, const volatile void *p, uintptr_t pc, uint64_t value) {
  if (rt_is_guided() || t->loaded != (uintptr_t)p || t->loaded_pc != pc ||
      t->loaded_value != value)
    return false;
  if (rt_mode == CONTROL_REPLAY) rt_replay_repeats(t, pc);
  return true;
}

static void remember(RtThread *t, const volatile void *p, uintptr_t pc, uint64_t value) {
  t->loaded = (uintptr_t)p;
  t->loaded_pc = pc;
  t->loaded_value = value;
}

/* The beginning and the end of an operation. In between the location is the thread's. */
typedef struct {
  RtThread *t;
  const volatile void *p;
  int *lock;
  uintptr_t pc;
  TraceOp turn;
  int order;
} Moment;

static Moment enter(RtThread *t, const volatile void *p, size_t size, TraceOp op,
                    TraceOp other, uintptr_t pc, int order) {
  Moment m = {t, p, lock_of(p), pc, TRACE_NONE, order};
  if (rt_mode == CONTROL_REPLAY) {
    unsigned flags = TRACE_ATOMIC | (op == TRACE_ATOMIC_LOAD ? 0u : TRACE_WRITE);
    rt_replay_access(t, (uintptr_t)p, size, flags, pc);
    m.turn = rt_turn(t, op, other, pc);
  } else {
    t->in_atomic = true;
    take(m.lock);
  }
  return m;
}

static void finish(const Moment *m, TraceOp op, uint64_t size, uint64_t a, uint64_t b) {
  if (rt_mode == CONTROL_REPLAY) {
    unsigned flags = TRACE_ATOMIC | (op == TRACE_ATOMIC_LOAD ? 0u : TRACE_WRITE);
    rt_guide_log(m->t, op, (uintptr_t)m->p, size, (unsigned)m->order, flags);
    rt_turn_done(m->t, m->turn);
  } else {
    uint64_t ordered = size | (uint64_t)(m->order + 1) << TRACE_ORDER_SHIFT;
    rt_emit(m->t, op, (uintptr_t)m->p, m->pc, ordered, a, b);
    leave(m->lock);
    m->t->in_atomic = false;
    if (rt_control->variation) rt_vary_event(m->t);
  }
  if (op == TRACE_ATOMIC_LOAD) remember(m->t, m->p, m->pc, a);
}

/* A compare-exchange writes only if the value is the expected one: whoever judges a race
 * asks for it (see rt_replay.c). */
static void expects(RtThread *t, const volatile void *p, const void *value, size_t size) {
  if (rt_mode != CONTROL_REPLAY) return;
  rt_copy(t->expected, value, size);
  t->compared_size = (uint32_t)size;
  t->compared = p;
}

#if defined(__x86_64__)
/* 16 bytes by the one instruction that has them. */
static unsigned __int128 swap128(volatile unsigned __int128 *p,
                                 unsigned __int128 expected, unsigned __int128 desired) {
  bool done;
  uint64_t low = (uint64_t)expected, high = (uint64_t)(expected >> 64);
  __asm__ volatile("lock cmpxchg16b %1"
                   : "=@ccz"(done), "+m"(*p), "+a"(low), "+d"(high)
                   : "b"((uint64_t)desired), "c"((uint64_t)(desired >> 64))
                   : "memory");
  return (unsigned __int128)high << 64 | low;
}
#endif

/* The plain operations: one set for the sizes that compilers know, one for 16 bytes. */
#define PLAIN(bits, type)                                                                \
  static inline type load##bits(const volatile type *p) {                                \
    return __atomic_load_n(p, __ATOMIC_SEQ_CST);                                         \
  }                                                                                      \
  static inline type compare##bits(volatile type *p, type expected, type desired) {      \
    __atomic_compare_exchange_n(p, &expected, desired, false, __ATOMIC_SEQ_CST,          \
                                __ATOMIC_SEQ_CST);                                       \
    return expected;                                                                     \
  }                                                                                      \
  static inline type exchange##bits(volatile type *p, type v) {                          \
    return __atomic_exchange_n(p, v, __ATOMIC_SEQ_CST);                                  \
  }                                                                                      \
  static inline type add##bits(volatile type *p, type v) {                               \
    return __atomic_fetch_add(p, v, __ATOMIC_SEQ_CST);                                   \
  }                                                                                      \
  static inline void store##bits(volatile type *p, type v, int order) {                  \
    if (order == __ATOMIC_SEQ_CST)                                                       \
      __atomic_store_n(p, v, __ATOMIC_SEQ_CST);                                          \
    else                                                                                 \
      __atomic_store_n(p, v, __ATOMIC_RELEASE);                                          \
  }

PLAIN(8, uint8_t)
PLAIN(16, uint16_t)
PLAIN(32, uint32_t)
PLAIN(64, uint64_t)

#if defined(__x86_64__)
static unsigned __int128 load128(const volatile unsigned __int128 *p) {
  return swap128((volatile unsigned __int128 *)p, 0, 0);
}
static unsigned __int128 compare128(volatile unsigned __int128 *p,
                                    unsigned __int128 expected,
                                    unsigned __int128 desired) {
  return swap128(p, expected, desired);
}
#define LOOP128(name, expression)                                                        \
  static unsigned __int128 name##128(volatile unsigned __int128 *p,                      \
                                     unsigned __int128 v) {                              \
    unsigned __int128 old = load128(p), seen;                                            \
    while ((seen = swap128(p, old, (expression))) != old) old = seen;                    \
    return old;                                                                          \
  }
LOOP128(exchange, v)
LOOP128(add, old + v)
static void store128(volatile unsigned __int128 *p, unsigned __int128 v, int order) {
  (void)order;
  exchange128(p, v);
}
#endif

/* A read-modify-write by any function of the old value. */
#define MODIFY(bits, type, name, plain, expression)                                      \
  EXPORT type __tsan_atomic##bits##_##name(volatile type *p, type v, int order);         \
  type __tsan_atomic##bits##_##name(volatile type *p, type v, int order) {               \
    RtThread *t = active();                                                              \
    if (!t) return plain;                                                                \
    Moment m = enter(t, p, sizeof v, TRACE_ATOMIC_RMW, TRACE_NONE, RT_CALLER, order);    \
    type old = plain;                                                                    \
    type now = (type)(expression);                                                       \
    finish(&m, TRACE_ATOMIC_RMW, sizeof v, VALUE(old), VALUE(now));                      \
    return old;                                                                          \
  }

#define BY_COMPARING(bits, type, name, expression)                                       \
  static type name##bits(volatile type *p, type v) {                                     \
    type old = load##bits(p), seen;                                                      \
    while ((seen = compare##bits(p, old, (type)(expression))) != old) old = seen;        \
    return old;                                                                          \
  }

#define ATOMICS(bits, type)                                                              \
  BY_COMPARING(bits, type, mask_and, old &v)                                             \
  BY_COMPARING(bits, type, mask_or, old | v)                                             \
  BY_COMPARING(bits, type, mask_xor, old ^ v)                                            \
  BY_COMPARING(bits, type, mask_nand, ~(old & v))                                        \
  MODIFY(bits, type, exchange, exchange##bits(p, v), v)                                  \
  MODIFY(bits, type, fetch_add, add##bits(p, v), old + v)                                \
  MODIFY(bits, type, fetch_sub, add##bits(p, (type)(0 - v)), old - v)                    \
  MODIFY(bits, type, fetch_and, mask_and##bits(p, v), old &v)                            \
  MODIFY(bits, type, fetch_or, mask_or##bits(p, v), old | v)                             \
  MODIFY(bits, type, fetch_xor, mask_xor##bits(p, v), old ^ v)                           \
  MODIFY(bits, type, fetch_nand, mask_nand##bits(p, v), ~(old & v))                      \
  EXPORT type __tsan_atomic##bits##_load(const volatile type *p, int order);             \
  type __tsan_atomic##bits##_load(const volatile type *p, int order) {                   \
    RtThread *t = active();                                                              \
    type v = load##bits(p);                                                              \
    if (!t || repeats(t, p, RT_CALLER, VALUE(v))) return v;                              \
    Moment m = enter(t, p, sizeof v, TRACE_ATOMIC_LOAD, TRACE_NONE, RT_CALLER, order);   \
    v = load##bits(p);                                                                   \
    finish(&m, TRACE_ATOMIC_LOAD, sizeof v, VALUE(v), 0);                                \
    return v;                                                                            \
  }                                                                                      \
  EXPORT void __tsan_atomic##bits##_store(volatile type *p, type v, int order);          \
  void __tsan_atomic##bits##_store(volatile type *p, type v, int order) {                \
    RtThread *t = active();                                                              \
    if (!t) {                                                                            \
      store##bits(p, v, order);                                                          \
      return;                                                                            \
    }                                                                                    \
    Moment m = enter(t, p, sizeof v, TRACE_ATOMIC_STORE, TRACE_NONE, RT_CALLER, order);  \
    type old = exchange##bits(p, v);                                                     \
    finish(&m, TRACE_ATOMIC_STORE, sizeof v, VALUE(old), VALUE(v));                      \
  }                                                                                      \
  static type compare_exchange##bits(volatile type *p, type expected, type desired,      \
                                     uintptr_t pc, int order, int failed) {              \
    RtThread *t = active();                                                              \
    if (!t) return compare##bits(p, expected, desired);                                  \
    type seen = load##bits(p);                                                           \
    if (seen != expected && repeats(t, p, pc, VALUE(seen))) return seen;                 \
    expects(t, p, &expected, sizeof expected);                                           \
    Moment m = enter(t, p, sizeof seen, TRACE_ATOMIC_RMW, TRACE_ATOMIC_LOAD, pc, order); \
    t->compared = NULL;                                                                  \
    seen = compare##bits(p, expected, desired);                                          \
    if (seen == expected)                                                                \
      finish(&m, TRACE_ATOMIC_RMW, sizeof seen, VALUE(seen), VALUE(desired));            \
    else {                                                                               \
      m.order = failed;                                                                  \
      finish(&m, TRACE_ATOMIC_LOAD, sizeof seen, VALUE(seen), 0);                        \
    }                                                                                    \
    return seen;                                                                         \
  }                                                                                      \
  EXPORT type __tsan_atomic##bits##_compare_exchange_val(volatile type *p, type c,       \
                                                         type v, int order, int failed); \
  type __tsan_atomic##bits##_compare_exchange_val(volatile type *p, type c, type v,      \
                                                  int order, int failed) {               \
    return compare_exchange##bits(p, c, v, RT_CALLER, order, failed);                    \
  }                                                                                      \
  EXPORT int __tsan_atomic##bits##_compare_exchange_strong(                              \
      volatile type *p, type *c, type v, int order, int failed);                         \
  int __tsan_atomic##bits##_compare_exchange_strong(volatile type *p, type *c, type v,   \
                                                    int order, int failed) {             \
    type seen = compare_exchange##bits(p, *c, v, RT_CALLER, order, failed);              \
    if (seen == *c) return 1;                                                            \
    *c = seen;                                                                           \
    return 0;                                                                            \
  }                                                                                      \
  EXPORT int __tsan_atomic##bits##_compare_exchange_weak(volatile type *p, type *c,      \
                                                         type v, int order, int failed); \
  int __tsan_atomic##bits##_compare_exchange_weak(volatile type *p, type *c, type v,     \
                                                  int order, int failed) {               \
    type seen = compare_exchange##bits(p, *c, v, RT_CALLER, order, failed);              \
    if (seen == *c) return 1;                                                            \
    *c = seen;                                                                           \
    return 0;                                                                            \
  }

ATOMICS(8, uint8_t)
ATOMICS(16, uint16_t)
ATOMICS(32, uint32_t)
ATOMICS(64, uint64_t)
#if defined(__x86_64__)
ATOMICS(128, unsigned __int128)
#endif

EXPORT void __tsan_atomic_thread_fence(int order);
EXPORT void __tsan_atomic_signal_fence(int order);
void __tsan_atomic_thread_fence(int order) {
  RtThread *t = active();
  if (t && rt_mode == CONTROL_RECORD)
    rt_emit(t, TRACE_FENCE, 0, RT_CALLER, (uint64_t)order, 0, 0);
  if (t && rt_is_guided()) {
    rt_lock();
    rt_guide_log(t, TRACE_NONE, 0, 0, (unsigned)order, 0);
    rt_unlock();
  }
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
}
void __tsan_atomic_signal_fence(int order) {
  (void)order;
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
}
