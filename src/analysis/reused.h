/* Comparisons of addresses that cannot tell memory which was freed from what was allocated since.
 *
 * In: the program and what its pointers mean. Out: an operation that compares, or subtracts, the address of an object that
 * is freed somewhere with the address of an allocated object. Both may be the same number, although they are two objects:
 * the allocator may hand out again what it was given back. Who takes different objects to have different addresses
 * must not be believed about such a program. A comparison with an object that is never freed on either side, or
 * with NULL, is none of them. */
#ifndef HEDDLE_ANALYSIS_REUSED_H
#define HEDDLE_ANALYSIS_REUSED_H

#include "analysis/pointsto.h"

/* The first such operation, or 0. */
EdgeId reused_find(const Program *program, const PointsTo *pointsto);

#endif
