/* Comparisons of addresses that may be the same number, although they are of two objects.
 *
 * In: the program and what its pointers mean. Out: an operation that compares, or subtracts, the address of an object
 * that is freed somewhere with the address of an allocated object: the allocator may hand out again what it was given
 * back. Or one that compares the end of an object, written as `&x + 1`, with an address in another one, which may begin
 * there. Who takes different objects to have different addresses must not be believed about such a program. A
 * comparison with an object that is never freed on either side, or with NULL, is none of them.
 */
#ifndef HEDDLE_ANALYSIS_ALIKE_H
#define HEDDLE_ANALYSIS_ALIKE_H

#include "analysis/pointsto.h"

/* The first such operation, or 0. */
EdgeId alike_find(const Program *program, const PointsTo *pointsto);

#endif
