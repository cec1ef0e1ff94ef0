/* How the runtime puts numbers into the trace; shared by rt_record.c (blocks, events) and
 * rt_fresh.c (accesses). See trace/format.h for the form. */
#ifndef HEDDLE_RUNTIME_RT_PUT_H
#define HEDDLE_RUNTIME_RT_PUT_H

#include "runtime/rt.h"

enum {
  MOST_BYTES_PER_EVENT = 96,
  MOST_BYTES_PER_ACCESS = 56, /* a byte, five numbers, and what rt_put writes too much */
  ROOM_FOR_PENDING = (TRACE_PENDING + 1) * MOST_BYTES_PER_ACCESS,
};

/* Eight bytes at any address. */
typedef struct {
  uint64_t value;
} __attribute__((packed, may_alias)) RtLoose;

/* Without a loop, since lengths are as random as what the program does: eight bytes are
 * written, and as many of them count as the number needs. */
static inline uint8_t *rt_put(uint8_t *at, uint64_t value) {
  enum { TAG = 3, ALL = 7 };
  if (__builtin_expect(value >> (ALL * 8 - TAG) != 0, 0)) {
    *at = ALL;
    ((RtLoose *)(at + 1))->value = value;
    return at + 1 + sizeof value;
  }
  unsigned more = (64 + TAG - 1 - (unsigned)__builtin_clzll(value | 1)) / 8;
  ((RtLoose *)at)->value = value << TAG | more;
  return at + 1 + more;
}

static inline uint8_t *rt_put_signed(uint8_t *at, int64_t value) {
  return rt_put(at, ((uint64_t)value << 1) ^ (uint64_t)(value >> 63));
}

static inline uint8_t *rt_put_difference(uint8_t *at, uint64_t value, uint64_t *last) {
  int64_t d = (int64_t)(value - *last);
  *last = value;
  return rt_put_signed(at, d);
}

/* Writes what waits to grow and begins the next block; false when there is none. */
bool rt_make_room(RtThread *t);

/* Every block keeps room for what waits in its header. */
static inline bool rt_room(RtThread *t, size_t bytes) {
  return __builtin_expect((size_t)(t->limit - t->at) >= bytes + ROOM_FOR_PENDING, 1) ||
         rt_make_room(t);
}

static inline void rt_commit(RtThread *t, uint8_t *at) {
  t->at = at;
  __atomic_store_n(&t->block->used, (uint32_t)(at - (uint8_t *)(t->block + 1)),
                   __ATOMIC_RELEASE);
}

/* ---- rt_fresh.c ------------------------------------------------------------------- */

void rt_put_pending(RtThread *t);
void rt_next_segment(RtThread *t);

#endif
