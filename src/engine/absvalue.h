/* Values of the engines that explore: a number, an address or handle with a known origin, or
 * TOP, which stands for any value at all. */
#ifndef HEDDLE_ENGINE_ABSVALUE_H
#define HEDDLE_ENGINE_ABSVALUE_H

#include "model/program.h"

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>

/* base 0: the number itself, zero-extended. TAG(kind): an address or a handle. */
typedef struct {
  uint32_t base;
  uint32_t unused;
  uint64_t num; /* number, or byte offset */
} AbsValue;

enum { NULL_PAGE = 4096 }; /* no memory and no code is at the addresses below */

enum {
  ABS_NUMBER = 0,
  ABS_TOP = 1,      /* any value */
  ABS_INSTANCE = 1, /* tags: an address in an instance, */
  ABS_WITHIN = 2,   /* … at an unknown offset, */
  ABS_FUNCTION = 3,
  ABS_LABEL = 4,
  ABS_THREAD = 5, /* a thread's id */
};

static inline uint32_t abs_base(unsigned tag, uint32_t id) {
  assert(tag < 16 && id <= 0x0fffffff);
  return (uint32_t)tag << 28 | id;
}
static inline unsigned abs_tag(AbsValue v) {
  return v.base >> 28;
}
static inline uint32_t abs_id(AbsValue v) {
  return v.base & 0x0fffffff;
}
static inline AbsValue abs_top(void) {
  return (AbsValue){.base = ABS_TOP};
}
static inline AbsValue abs_number(uint64_t n) {
  return (AbsValue){.num = n};
}
static inline AbsValue abs_make(unsigned tag, uint32_t id, uint64_t num) {
  return (AbsValue){.base = abs_base(tag, id), .num = num};
}
static inline bool abs_is_top(AbsValue v) {
  return v.base == ABS_TOP;
}
static inline bool abs_is_number(AbsValue v) {
  return v.base == ABS_NUMBER;
}
/* An address of memory, wherever in it. */
static inline bool abs_is_address(AbsValue v) {
  return abs_tag(v) == ABS_INSTANCE || abs_tag(v) == ABS_WITHIN;
}
static inline bool abs_equal(AbsValue a, AbsValue b) {
  return a.base == b.base && a.num == b.num;
}

/* An operation on numbers; TOP where C leaves the result open. Operands that it does not have are
 * not looked at. */
AbsValue abs_compute(const Program *p, const Expr *e, AbsValue a, AbsValue b, AbsValue c);

#endif
