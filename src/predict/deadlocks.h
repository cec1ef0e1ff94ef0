/* Circles of locks: threads each of which acquired one lock while it held another, so
 * that at some moment every one of them may hold what the next one wants. */
#ifndef HEDDLE_PREDICT_DEADLOCKS_H
#define HEDDLE_PREDICT_DEADLOCKS_H

#include "predict/solve.h"

typedef struct {
  VEC(Target) targets; /* each before its acquisition of the next one's lock */
} Circle;

typedef struct {
  VEC(Circle) circles;
  bool cut; /* there may be more */
} Circles;

void deadlocks_find(const Run *run, Circles *ret);
void deadlocks_free(Circles *circles);

#endif
