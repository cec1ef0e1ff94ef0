/* The only calls of malloc and realloc in heddle. See mem.h. */
#include "base/mem.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static MemExhausted *exhausted;
static unsigned long fail_countdown;

static void *checked(void *p, size_t size) {
  if (p)
    return p;
  if (exhausted)
    exhausted(size);
  abort();
}

static int must_fail(void) { return fail_countdown && --fail_countdown == 0; }

void *mem_alloc(size_t size) {
  return checked(must_fail() ? NULL : malloc(size ? size : 1), size);
}

void *mem_alloc_zero(size_t size) {
  return checked(must_fail() ? NULL : calloc(1, size ? size : 1), size);
}

void *mem_realloc(void *old, size_t size) {
  return checked(must_fail() ? NULL : realloc(old, size ? size : 1), size);
}

void *mem_dup(const void *bytes, size_t size) {
  void *p = mem_alloc(size);
  if (size)
    memcpy(p, bytes, size);
  return p;
}

void mem_free(void *p) { free(p); }

void mem_on_exhaustion(MemExhausted *handler) { exhausted = handler; }

void mem_fail_at(unsigned long n) { fail_countdown = n; }
