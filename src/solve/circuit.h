/* Arithmetic as gates. Numbers are arrays of literals, the lowest bit first, of `bits` bits each;
 * results are written where no operand lies. Meanings are those of term.h. */
#ifndef HEDDLE_SOLVE_CIRCUIT_H
#define HEDDLE_SOLVE_CIRCUIT_H

#include "solve/gates.h"

void circuit_add(Gates *gates, Lit *ret, const Lit *a, const Lit *b, Lit carry,
                 uint32_t bits);
void circuit_mul(Gates *gates, Lit *ret, const Lit *a, const Lit *b, uint32_t bits);
void circuit_udivrem(Gates *gates, Lit *quotient, Lit *remainder, const Lit *a,
                     const Lit *b, uint32_t bits);
void circuit_sdivrem(Gates *gates, Lit *quotient, Lit *remainder, const Lit *a,
                     const Lit *b, uint32_t bits);
/* Bits that move in are `fill`. */
void circuit_shift_left(Gates *gates, Lit *ret, const Lit *a, const Lit *by,
                        uint32_t bits);
void circuit_shift_right(Gates *gates, Lit *ret, const Lit *a, const Lit *by, Lit fill,
                         uint32_t bits);
void circuit_ite(Gates *gates, Lit *ret, Lit condition, const Lit *then,
                 const Lit *otherwise, uint32_t bits);
Lit circuit_eq(Gates *gates, const Lit *a, const Lit *b, uint32_t bits);
Lit circuit_ult(Gates *gates, const Lit *a, const Lit *b, uint32_t bits);
Lit circuit_slt(Gates *gates, const Lit *a, const Lit *b, uint32_t bits);

#endif
