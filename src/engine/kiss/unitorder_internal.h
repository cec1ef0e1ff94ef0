/* What the two files of the order share. See unitorder.c. */
#ifndef HEDDLE_ENGINE_KISS_UNITORDER_INTERNAL_H
#define HEDDLE_ENGINE_KISS_UNITORDER_INTERNAL_H

#include "engine/kiss/rounds_internal.h"

/* A unit whose place among those of other threads matters. */
typedef struct {
  uint32_t thread, unit;
} Point;

enum { UNITORDER_MOST_POINTS = 1200 };

struct UnitOrder {
  VEC(Point) points;    /* thread by thread, each in its order */
  uint32_t **point_of;  /* by thread and unit: point + 1, or 0 */
  uint32_t *created_at; /* by thread: the unit of its creator */
  Term *before;    /* [a * points + b], a < b: a comes before b; constants where known */
  uint8_t *linked; /* [a * points + b]: they touch a common slot */
};

/* a comes before b. */
static inline Term unitorder_before(Rounds *r, uint32_t a, uint32_t b) {
  const UnitOrder *o = r->order;
  assert(o->before && a != b && a < o->points.len && b < o->points.len);
  return a < b ? o->before[(size_t)a * o->points.len + b]
               : term_not(r->t, o->before[(size_t)b * o->points.len + a]);
}

#endif
