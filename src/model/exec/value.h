/* Values of the interpreter: bit-vectors of any width and floats of every format.
 *
 * A value of n bits is an array of value_words(n) 64-bit words, least significant first;
 * the unused bits of the last word are zero (the canonical form that every function here
 * expects and keeps). Up to 64 bits that is one plain number, which is what the fast
 * paths of the machine work on; the functions here do every kind of expression at every
 * width.
 *
 * Nothing here allocates for values of up to VALUE_SMALL_WORDS words. */
#ifndef HEDDLE_MODEL_EXEC_VALUE_H
#define HEDDLE_MODEL_EXEC_VALUE_H

#include "model/expr.h"

#include <stddef.h>
#include <stdint.h>

enum { VALUE_SMALL_WORDS = 16 };

/* Why an operation has no defined result. */
typedef enum {
  VALUE_OK,
  VALUE_DIVIDE_BY_ZERO,
  VALUE_DIVIDE_OVERFLOW, /* the most negative number divided by -1 */
  VALUE_SHIFT,           /* by as many bits as the value has, or more */
  VALUE_FORMAT,          /* a float format that does not exist */
} ValueStatus;

/* One operation: what Expr says, with the shapes of its operands at hand. */
typedef struct {
  uint8_t kind; /* ExprKind, not a leaf */
  uint8_t sort; /* of the result */
  uint8_t a_sort;
  uint8_t unused;
  uint32_t bits; /* of the result */
  uint32_t a_bits;
  uint32_t b_bits; /* INSERT: the part */
  uint32_t low;    /* EXTRACT, INSERT: the lowest bit */
} ValueOp;

static inline uint32_t value_words(uint32_t bits) {
  return (bits + 63) / 64;
}
static inline uint64_t value_mask(uint32_t bits) {
  return bits >= 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;
}
/* Sign-extends a value of 1 to 64 bits. */
static inline int64_t value_signed(uint64_t value, uint32_t bits) {
  unsigned shift = 64 - bits;
  return (int64_t)(value << shift) >> shift;
}

/* Performs `op` on a, b, c (those that its kind has) and writes value_words(op->bits)
 * words to d, which must not overlap the operands. On a status other than VALUE_OK d is
 * undefined. */
ValueStatus value_apply(const ValueOp *op, uint64_t *d, const uint64_t *a,
                        const uint64_t *b, const uint64_t *c);
/* The part of value_apply that has floats on either side (value_float.c). */
ValueStatus value_apply_float(const ValueOp *op, uint64_t *d, const uint64_t *a,
                              const uint64_t *b, const uint64_t *c);
/* "division by zero", … */
const char *value_status_text(ValueStatus status);

/* Copies `bits` bits between values and the little-endian bytes of memory. */
void value_from_bytes(uint64_t *d, const uint8_t *bytes, uint32_t bits);
void value_to_bytes(uint8_t *bytes, const uint64_t *a, uint32_t bits);
/* -1, 0 or 1; `bits` wide, as unsigned or signed numbers. */
int value_compare(const uint64_t *a, const uint64_t *b, uint32_t bits);
int value_compare_signed(const uint64_t *a, const uint64_t *b, uint32_t bits);

/* Conversions between float and integer exactly as x86-64 code does them, for the fast
 * paths; `bits` is the width of the integer, at most 64. */
uint64_t value_double_to_int(double x, uint32_t bits);
uint64_t value_double_to_uint(double x, uint32_t bits);

#endif
