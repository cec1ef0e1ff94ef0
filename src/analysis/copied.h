/* Objects of synchronisation that are copied or written as data, which POSIX leaves undefined.
 *
 * In: the program and what its pointers mean. Out: a COPY, or a call like realloc, by which bytes of an object that is
 * locked, waited for or posted somewhere may come into another that is. The copy of a lock that is held is held as well,
 * by nobody who would release it; nothing in the model says so. A copy that is only looked at, and one of a lock that was
 * made and never used, are harmless. And a write of something else than 0 into such an object; what the
 * bytes of objects mean that the user's own rules describe is for the user to say. */
#ifndef HEDDLE_ANALYSIS_COPIED_H
#define HEDDLE_ANALYSIS_COPIED_H

#include "analysis/pointsto.h"

/* The first such operations, or 0. */
typedef struct {
  EdgeId copy, write;
} Copied;

Copied copied_find(const Program *program, const PointsTo *pointsto);

#endif
