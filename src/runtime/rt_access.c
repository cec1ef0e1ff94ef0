/* The entry points that the compilers call before each access to memory, and at the
 * beginning and end of functions. Names and meanings are those of the instrumentation
 * that clang and gcc insert for -fsanitize=thread. */
#include "runtime/rt.h"

#define EXPORT __attribute__((visibility("default")))

__attribute__((noinline)) void rt_range(uintptr_t address, size_t size, unsigned flags,
                                        uintptr_t pc) {
  RtThread *t = rt_self;
  if (!rt_accesses || !size || !t || t->ended) return;
  if (rt_mode == CONTROL_RECORD)
    rt_emit_access(t, address, size, flags, pc);
  else
    rt_replay_access(t, address, size, flags, pc);
}

/* A program that is not watched pays one load and one branch. Most accesses that are
 * watched end here as well: the thread had these bytes in this segment. */
static inline __attribute__((always_inline)) void
touch(uintptr_t address, unsigned size, unsigned flags, bool aligned, uintptr_t pc) {
  if (__builtin_expect(!rt_accesses, 1)) return;
  uint64_t number = address / RT_LINE;
  RtLine *line = rt_line(number);
  if (line->key != (number | rt_quick.segment) ||
      (!aligned && address % RT_LINE + size > RT_LINE)) {
    rt_emit_small(address, size << 8 | flags, pc);
    return;
  }
  uint64_t bits = ((UINT64_C(1) << size) - 1) << address % RT_LINE;
  if (bits & (flags & TRACE_WRITE ? line->unwritten : line->unseen))
    rt_emit_fresh(line, address, size << 8 | flags, pc);
  else if (__builtin_expect(rt_is_new_place(pc), 0))
    rt_emit_again(address, size << 8 | flags, pc);
}

EXPORT void __tsan_init(void);
EXPORT void __tsan_init(void) {
  rt_init();
}

#define ACCESSES(size)                                                                   \
  EXPORT void __tsan_read##size(void *p);                                                \
  EXPORT void __tsan_write##size(void *p);                                               \
  EXPORT void __tsan_unaligned_read##size(void *p);                                      \
  EXPORT void __tsan_unaligned_write##size(void *p);                                     \
  EXPORT void __tsan_volatile_read##size(void *p);                                       \
  EXPORT void __tsan_volatile_write##size(void *p);                                      \
  EXPORT void __tsan_unaligned_volatile_read##size(void *p);                             \
  EXPORT void __tsan_unaligned_volatile_write##size(void *p);                            \
  EXPORT void __tsan_read_write##size(void *p);                                          \
  EXPORT void __tsan_unaligned_read_write##size(void *p);                                \
  EXPORT void __tsan_read##size##_pc(void *p, void *pc);                                 \
  EXPORT void __tsan_write##size##_pc(void *p, void *pc);                                \
  void __tsan_read##size(void *p) {                                                      \
    touch((uintptr_t)p, size, 0, true, RT_CALLER);                                       \
  }                                                                                      \
  void __tsan_write##size(void *p) {                                                     \
    touch((uintptr_t)p, size, TRACE_WRITE, true, RT_CALLER);                             \
  }                                                                                      \
  void __tsan_unaligned_read##size(void *p) {                                            \
    touch((uintptr_t)p, size, 0, false, RT_CALLER);                                      \
  }                                                                                      \
  void __tsan_unaligned_write##size(void *p) {                                           \
    touch((uintptr_t)p, size, TRACE_WRITE, false, RT_CALLER);                            \
  }                                                                                      \
  void __tsan_volatile_read##size(void *p) {                                             \
    touch((uintptr_t)p, size, 0, true, RT_CALLER);                                       \
  }                                                                                      \
  void __tsan_volatile_write##size(void *p) {                                            \
    touch((uintptr_t)p, size, TRACE_WRITE, true, RT_CALLER);                             \
  }                                                                                      \
  void __tsan_unaligned_volatile_read##size(void *p) {                                   \
    touch((uintptr_t)p, size, 0, false, RT_CALLER);                                      \
  }                                                                                      \
  void __tsan_unaligned_volatile_write##size(void *p) {                                  \
    touch((uintptr_t)p, size, TRACE_WRITE, false, RT_CALLER);                            \
  }                                                                                      \
  void __tsan_read_write##size(void *p) {                                                \
    touch((uintptr_t)p, size, TRACE_WRITE, true, RT_CALLER);                             \
  }                                                                                      \
  void __tsan_unaligned_read_write##size(void *p) {                                      \
    touch((uintptr_t)p, size, TRACE_WRITE, false, RT_CALLER);                            \
  }                                                                                      \
  void __tsan_read##size##_pc(void *p, void *pc) {                                       \
    touch((uintptr_t)p, size, 0, true, (uintptr_t)pc);                                   \
  }                                                                                      \
  void __tsan_write##size##_pc(void *p, void *pc) {                                      \
    touch((uintptr_t)p, size, TRACE_WRITE, true, (uintptr_t)pc);                         \
  }

ACCESSES(1)
ACCESSES(2)
ACCESSES(4)
ACCESSES(8)
ACCESSES(16)

EXPORT void __tsan_read_range(void *p, size_t size);
EXPORT void __tsan_write_range(void *p, size_t size);
void __tsan_read_range(void *p, size_t size) {
  rt_range((uintptr_t)p, size, 0, RT_CALLER);
}
void __tsan_write_range(void *p, size_t size) {
  rt_range((uintptr_t)p, size, TRACE_WRITE, RT_CALLER);
}

/* An object's table of virtual functions: storing the value that is there is no change.
 */
EXPORT void __tsan_vptr_update(void **p, void *value);
EXPORT void __tsan_vptr_read(void **p);
void __tsan_vptr_update(void **p, void *value) {
  if (*p != value) touch((uintptr_t)p, sizeof *p, TRACE_WRITE, true, RT_CALLER);
}
void __tsan_vptr_read(void **p) {
  touch((uintptr_t)p, sizeof *p, 0, true, RT_CALLER);
}

/* Copies that the compiler makes. */
EXPORT void *__tsan_memcpy(void *to, const void *from, size_t size);
EXPORT void *__tsan_memmove(void *to, const void *from, size_t size);
EXPORT void *__tsan_memset(void *to, int byte, size_t size);
void *__tsan_memcpy(void *to, const void *from, size_t size) {
  rt_range((uintptr_t)from, size, 0, RT_CALLER);
  rt_range((uintptr_t)to, size, TRACE_WRITE, RT_CALLER);
  return REAL(memmove)(to, from, size); /* a struct may be copied to itself */
}
void *__tsan_memmove(void *to, const void *from, size_t size) {
  rt_range((uintptr_t)from, size, 0, RT_CALLER);
  rt_range((uintptr_t)to, size, TRACE_WRITE, RT_CALLER);
  return REAL(memmove)(to, from, size);
}
void *__tsan_memset(void *to, int byte, size_t size) {
  rt_range((uintptr_t)to, size, TRACE_WRITE, RT_CALLER);
  return REAL(memset)(to, byte, size);
}

/* The shadow stack, kept for reports of a replay only. Functions that longjmp or an
 * exception left did not say so: they lay where the stack is free by now. */
static void drop_left(RtThread *t, uintptr_t free_below) {
  if (t->depth > RT_MOST_FRAMES) return; /* the innermost ones are not known */
  while (t->depth && t->frames[t->depth - 1].at < free_below) t->depth--;
}

EXPORT void __tsan_func_entry(void *caller);
EXPORT void __tsan_func_exit(void);
void __tsan_func_entry(void *caller) {
  if (__builtin_expect(rt_mode != CONTROL_REPLAY, 1)) return;
  RtThread *t = rt_self;
  if (!t) return;
  uintptr_t here = (uintptr_t)__builtin_frame_address(0);
  drop_left(t, here + 1);
  if (t->depth < RT_MOST_FRAMES) t->frames[t->depth] = (RtFrame){(uintptr_t)caller, here};
  t->depth++;
}
void __tsan_func_exit(void) {
  if (__builtin_expect(rt_mode != CONTROL_REPLAY, 1)) return;
  RtThread *t = rt_self;
  if (!t) return;
  drop_left(t, (uintptr_t)__builtin_frame_address(0));
  if (t->depth) t->depth--;
}

EXPORT void __tsan_ignore_thread_begin(void);
EXPORT void __tsan_ignore_thread_end(void);
void __tsan_ignore_thread_begin(void) {
  if (rt_self) rt_self->ignoring = true;
}
void __tsan_ignore_thread_end(void) {
  if (rt_self) rt_self->ignoring = false;
}
