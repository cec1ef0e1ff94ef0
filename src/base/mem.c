/* The only calls of malloc and realloc in heddle. See mem.h and limit.h.
 *
 * What is in use is counted. Each thread keeps what it took and gave back to itself until that
 * is a mebibyte: counting must cost nothing beside malloc. So the sum is off by at most one
 * mebibyte for each thread. */
#include "base/mem.h"

#include "base/limit.h"

#include <malloc.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <string.h>
#include <unistd.h>

enum {
  BATCH = 1 << 20,
  BLOCK_COST = 16, /* what malloc keeps beside each block */
};
static const size_t library_room = (size_t)1
                                   << 30; /* address space of a child's libraries */

/* Bytes beyond the limit in which work comes to its end and is reported. */
static const size_t last_room = (size_t)256 << 20;

static MemExhausted *exhausted;
static unsigned long fail_countdown;
static atomic_llong used;
static _Thread_local long long pending; /* not yet in `used` */
static size_t limit;                    /* 0: none */
static volatile int *stop_flag;

/* ---- counting --------------------------------------------------------------------- */

static void look_at_limit(size_t wanted) {
  size_t total = limit_memory_used();
  if (!limit || total <= limit) return;
  if (stop_flag && !*stop_flag) *stop_flag = STOP_MEMORY;
  if (total - limit > limit / 4 + last_room && exhausted) exhausted(wanted);
}

static void count(long long bytes) {
  pending += bytes;
  if (pending < BATCH && pending > -BATCH) return;
  atomic_fetch_add_explicit(&used, pending, memory_order_relaxed);
  pending = 0;
  if (bytes > 0) look_at_limit((size_t)bytes);
}

static long long size_of(void *p) {
  return p ? (long long)malloc_usable_size(p) + BLOCK_COST : 0;
}

void limit_memory(size_t bytes, volatile int *stop) {
  limit = bytes;
  stop_flag = stop;
  look_at_limit(0);
}

size_t limit_memory_bytes(void) {
  return limit;
}

size_t limit_memory_used(void) {
  long long total = atomic_load_explicit(&used, memory_order_relaxed);
  return total > 0 ? (size_t)total : 0;
}

size_t limit_child_bytes(void) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  return 0;
#else
  size_t bytes = limit ? limit : limit_machine_bytes() / 4 * 3;
  return bytes ? bytes + library_room : 0;
#endif
}

void limit_address_space(size_t bytes) {
  struct rlimit r;
  if (getrlimit(RLIMIT_AS, &r) != 0) return;
  r.rlim_cur = bytes && bytes < r.rlim_max ? bytes : r.rlim_max;
  setrlimit(RLIMIT_AS, &r);
}

/* ---- what there is ---------------------------------------------------------------- */

/* One number from a file of the control group; 0 when it has none ("max"). */
static size_t group_limit(const char *path) {
  unsigned long long bytes = 0;
  FILE *file = fopen(path, "re");
  if (!file) return 0;
  if (fscanf(file, "%llu", &bytes) != 1) bytes = 0;
  fclose(file);
  return bytes > SIZE_MAX / 2 ? 0 : (size_t)bytes;
}

size_t limit_machine_bytes(void) {
  static const char *const groups[] = {"/sys/fs/cgroup/memory.max",
                                       "/sys/fs/cgroup/memory/memory.limit_in_bytes"};
  long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);
  size_t bytes = pages > 0 && size > 0 ? (size_t)pages * (size_t)size : 0;
  for (size_t i = 0; i < sizeof groups / sizeof *groups; i++) {
    size_t group = group_limit(groups[i]);
    if (group && (!bytes || group < bytes)) bytes = group;
  }
  return bytes;
}

/* ---- memory ----------------------------------------------------------------------- */

static void *checked(void *p, size_t size) {
  if (p) {
    count(size_of(p));
    return p;
  }
  if (exhausted) exhausted(size);
  abort();
}

static int must_fail(void) {
  return fail_countdown && --fail_countdown == 0;
}

void *mem_alloc(size_t size) {
  return checked(must_fail() ? NULL : malloc(size ? size : 1), size);
}

void *mem_alloc_zero(size_t size) {
  return checked(must_fail() ? NULL : calloc(1, size ? size : 1), size);
}

void *mem_realloc(void *old, size_t size) {
  count(-size_of(old));
  return checked(must_fail() ? NULL : realloc(old, size ? size : 1), size);
}

void *mem_dup(const void *bytes, size_t size) {
  void *p = mem_alloc(size);
  if (size) memcpy(p, bytes, size);
  return p;
}

void mem_free(void *p) {
  count(-size_of(p));
  free(p);
}

void mem_on_exhaustion(MemExhausted *handler) {
  exhausted = handler;
}

void mem_fail_at(unsigned long n) {
  fail_countdown = n;
}
