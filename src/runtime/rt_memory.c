/* The heap and the memory functions.
 *
 * What is freed may be given to somebody else: the life of each block is recorded, so
 * that two accesses to one address are compared only when they mean the same block, and
 * `free` counts as a write to the whole of it. The names are weak: a program that brings
 * its own functions keeps them. */
#undef _FILE_OFFSET_BITS /* both names of mmap are meant */
#include "runtime/rt.h"

#include <errno.h>
#include <malloc.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define EXPORT __attribute__((visibility("default"), weak))

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *old, size_t size);
void *__libc_memalign(size_t alignment, size_t size);
void __libc_free(void *p);

static RtThread *recording(void) {
  if (!rt_threaded) return NULL;
  RtThread *t = rt_mode == CONTROL_RECORD ? rt_self : NULL;
  return t && !t->busy && !t->ended ? t : NULL;
}

/* It will be recorded, but there is no thread yet. */
static bool is_early(void) {
  return rt_mode == CONTROL_RECORD && !rt_threaded && rt_self && !rt_self->busy;
}

static void *allocated(void *p, size_t size, uintptr_t pc) {
  if (__builtin_expect(rt_mode == CONTROL_OFF, 1)) return p;
  if (p && is_early()) rt_early_allocated((uintptr_t)p, size, pc);
  RtThread *t = recording();
  if (t && p) rt_emit(t, TRACE_ALLOC, (uintptr_t)p, pc, size, 0, 0);
  return p;
}

static void freed(void *p, uintptr_t pc) {
  if (__builtin_expect(rt_mode == CONTROL_OFF, 1)) return;
  if (p && is_early()) rt_early_freed((uintptr_t)p);
  RtThread *t = p ? recording() : NULL;
  if (t) rt_emit(t, TRACE_FREE, (uintptr_t)p, pc, malloc_usable_size(p), 0, 0);
  /* In a replay it is an access like others. */
  if (!t && p && rt_accesses && rt_mode == CONTROL_REPLAY) {
    rt_range((uintptr_t)p, malloc_usable_size(p), TRACE_WRITE, pc);
    rt_objects_end((uintptr_t)p, malloc_usable_size(p));
  }
}

EXPORT void *malloc(size_t size) {
  return allocated(__libc_malloc(size), size, RT_CALLER);
}

EXPORT void *calloc(size_t count, size_t size) {
  return allocated(__libc_calloc(count, size), count * size, RT_CALLER);
}

EXPORT void *realloc(void *old, size_t size) {
  if (old) freed(old, RT_CALLER);
  void *p = __libc_realloc(old, size);
  if (!p && size && old) return allocated(NULL, 0, RT_CALLER); /* the old one lives on */
  return allocated(p, size, RT_CALLER);
}

EXPORT void *memalign(size_t alignment, size_t size) {
  return allocated(__libc_memalign(alignment, size), size, RT_CALLER);
}

EXPORT void *aligned_alloc(size_t alignment, size_t size) {
  return allocated(__libc_memalign(alignment, size), size, RT_CALLER);
}

EXPORT int posix_memalign(void **ret, size_t alignment, size_t size) {
  if (alignment % sizeof(void *) || !alignment || alignment & (alignment - 1))
    return EINVAL;
  void *p = __libc_memalign(alignment, size);
  if (!p) return ENOMEM;
  *ret = allocated(p, size, RT_CALLER);
  return 0;
}

EXPORT void free(void *p) {
  freed(p, RT_CALLER);
  __libc_free(p);
}

/* Memory from the system has lives as well: whatever is mapped at an address after it was
 * unmapped is something else. */
static void *mapped(long result, size_t size, uintptr_t pc) {
  if (result >= 0 || result < -4095) return allocated((void *)result, size, pc);
  errno = (int)-result;
  return MAP_FAILED;
}

EXPORT void *mmap(void *at, size_t size, int rights, int flags, int fd, off_t offset) {
  return mapped(rt_system(SYS_mmap, (long)at, (long)size, rights, flags, fd, offset),
                size, RT_CALLER);
}

EXPORT void *mmap64(void *at, size_t size, int rights, int flags, int fd, off_t offset) {
  return mapped(rt_system(SYS_mmap, (long)at, (long)size, rights, flags, fd, offset),
                size, RT_CALLER);
}

EXPORT int munmap(void *at, size_t size) {
  RtThread *t = recording();
  if (t && size) rt_emit(t, TRACE_FREE, (uintptr_t)at, RT_CALLER, size, 0, 0);
  if (is_early()) rt_early_freed((uintptr_t)at);
  long result = rt_system(SYS_munmap, (long)at, (long)size, 0, 0, 0, 0);
  if (result >= 0) return 0;
  errno = (int)-result;
  return -1;
}
