/* The pool: regions that double in size, cut from the front, and lists of what came back.
 *
 * In: sizes. Out: blocks. A block that may come back has a power of two of bytes, and
 * there is one list per power. A block that is kept is cut out of something that came
 * back, as long as that lasts, and else from the region.
 *
 * Lines stand by themselves, outside of any pool.
 *
 * Invariants. Every block begins at a multiple of LINE. Everything is guarded by the
 * mutex. */
#include "csp/pool.h"

#include "base/mem.h"
#include "base/vec.h"

#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>

enum { LINE = 64, POWERS = 48 };
static const size_t FIRST_REGION = 1 << 18, LAST_REGION = 1 << 26, HUGE_PAGE = 1 << 21;

typedef struct Returned {
  struct Returned *next;
} Returned;

struct CspPool {
  pthread_mutex_t lock;
  VEC(void *) regions; /* as they were allocated */
  uint8_t *region;     /* the last one */
  size_t used, size;   /* of it */
  size_t next_size;
  uint8_t *rest; /* of the block that kept ones are cut from */
  size_t rest_size;
  Returned *returned[POWERS];
};

CspPool *csp_pool_new(void) {
  CspPool *pool = mem_alloc_zero(sizeof *pool);
  pthread_mutex_init(&pool->lock, NULL);
  pool->next_size = FIRST_REGION;
  return pool;
}

void csp_pool_free(CspPool *pool) {
  if (!pool) return;
  for (uint32_t i = 0; i < pool->regions.len; i++) mem_free(pool->regions.data[i]);
  vec_free(&pool->regions);
  pthread_mutex_destroy(&pool->lock);
  mem_free(pool);
}

static void add_region(CspPool *pool, size_t least) {
  size_t size = pool->next_size, align = LINE;
  while (size < least) size *= 2;
  if (size >= 2 * HUGE_PAGE) align = HUGE_PAGE;
  if (pool->size - pool->used > pool->rest_size) {
    pool->rest = pool->region + pool->used;
    pool->rest_size = pool->size - pool->used;
  }
  void *memory = mem_alloc(size + align);
  vec_push(&pool->regions, memory);
  uintptr_t start = ((uintptr_t)memory + align - 1) / align * align;
  pool->region = (uint8_t *)memory + (start - (uintptr_t)memory);
  pool->used = 0;
  pool->size = size;
  if (size < LAST_REGION) pool->next_size = size * 2;
  /* Advice only: where there are no huge pages, all is as before. */
  if (align == HUGE_PAGE) (void)madvise(pool->region, size, MADV_HUGEPAGE);
}

static void *cut(CspPool *pool, size_t size) {
  assert(size % LINE == 0);
  if (pool->size - pool->used < size) add_region(pool, size);
  void *block = pool->region + pool->used;
  pool->used += size;
  return block;
}

static unsigned power_of(size_t size) {
  unsigned power = 6; /* LINE */
  while ((size_t)1 << power < size) power++;
  assert(power < POWERS);
  return power;
}

void *csp_pool_take(CspPool *pool, size_t size) {
  unsigned power = power_of(size);
  pthread_mutex_lock(&pool->lock);
  Returned *block = pool->returned[power];
  void *taken = block;
  if (block)
    pool->returned[power] = block->next;
  else
    taken = cut(pool, (size_t)1 << power);
  pthread_mutex_unlock(&pool->lock);
  assert((uintptr_t)taken % LINE == 0);
  return taken;
}

/* Written also where the system would give zeros: a page that is read before it is
 * written costs two faults, and the second stops all cores. */
void *csp_pool_take_zero(CspPool *pool, size_t size) {
  void *block = csp_pool_take(pool, size);
  memset(block, 0, size);
  return block;
}

void csp_pool_give(CspPool *pool, void *block, size_t size) {
  if (!block) return;
  unsigned power = power_of(size);
  pthread_mutex_lock(&pool->lock);
  Returned *back = block;
  back->next = pool->returned[power];
  pool->returned[power] = back;
  pthread_mutex_unlock(&pool->lock);
}

/* Something that came back and is large enough; false when there is nothing. */
static bool refill_rest(CspPool *pool, size_t size) {
  for (unsigned power = power_of(size); power < POWERS; power++) {
    Returned *block = pool->returned[power];
    if (!block) continue;
    pool->returned[power] = block->next;
    pool->rest = (uint8_t *)block;
    pool->rest_size = (size_t)1 << power;
    return true;
  }
  return false;
}

void *csp_pool_keep(CspPool *pool, size_t size) {
  size = (size + LINE - 1) / LINE * LINE;
  pthread_mutex_lock(&pool->lock);
  void *block;
  if (pool->rest_size >= size || refill_rest(pool, size)) {
    block = pool->rest;
    pool->rest += size;
    pool->rest_size -= size;
  } else {
    block = cut(pool, size);
  }
  pthread_mutex_unlock(&pool->lock);
  assert((uintptr_t)block % LINE == 0);
  return block;
}

/* ---- lines ------------------------------------------------------------------------- */

/* What was allocated is noted in the line before. */
void *csp_lines_new(size_t size) {
  uint8_t *memory = mem_alloc_zero(size + 3 * LINE);
  uintptr_t past = (uintptr_t)memory % LINE;
  uint8_t *lines = memory + (past ? 2 * LINE - past : LINE);
  memcpy(lines - sizeof memory, &memory, sizeof memory);
  return lines;
}

void *csp_lines_grow(void *lines, size_t old_size, size_t size) {
  void *more = csp_lines_new(size);
  if (lines) memcpy(more, lines, old_size < size ? old_size : size);
  csp_lines_free(lines);
  return more;
}

void csp_lines_free(void *lines) {
  void *memory;
  if (!lines) return;
  memcpy(&memory, (uint8_t *)lines - sizeof memory, sizeof memory);
  mem_free(memory);
}
