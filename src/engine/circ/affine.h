/* Affine sets of numbers that wrap: all points that linear equations modulo a power of two allow.
 *
 * A set grows by points, and says which equations hold of all of them: x + y = 100, s = 2n, and congruences such as
 * 2^31 x = 0, for "x is even". AffineNumbers modulo 2^bits are no field; what takes the part of a pivot is an entry that
 * the fewest twos divide.
 *
 * Papers: King, Søndergaard, "Inferring congruence equations using SAT", CAV 2008; Elder, Lim, Sharma, Andersen,
 * Reps, "Abstract domains of affine relations", TOPLAS 2014. */
#ifndef HEDDLE_ENGINE_CIRC_AFFINE_H
#define HEDDLE_ENGINE_CIRC_AFFINE_H

#include "base/vec.h"

#include <stdbool.h>
#include <stdint.h>

typedef VEC(uint64_t) AffineNumbers;

typedef struct {
  uint32_t count, bits; /* variables, and how wide they are: at most 64 */
  bool some;            /* there is a point */
  AffineNumbers base;   /* the first one */
  AffineNumbers spans;  /* differences, `count` numbers each */
  AffineNumbers
      rows; /* equations, `count` + 1 numbers each: factors, and what the sum is */
} Affine;

void affine_free(Affine *set);
/* The smallest set with the point too, or a larger one: a difference that many twos divide is taken without them, for
 * else a variable that may be anything would take as many points as it has bits. Rows are new behind it. */
void affine_add(Affine *set, const uint64_t *point);

#endif
