/* What memory an operation may touch, as objects: read off the table of operations (op_access.h)
 * and the effects of library functions (effect.h), over points-to.
 *
 * Objects are named by keys: the program's own objects by their number, whatever the calling
 * context; what the program has no object for (variable arguments, argv) by numbers behind them.
 * Key 0 is memory of unknown origin: it may be anything that is known outside. */
#ifndef HEDDLE_ANALYSIS_TOUCH_H
#define HEDDLE_ANALYSIS_TOUCH_H

#include "analysis/pointsto.h"

enum {
  TOUCH_READ = 1,
  TOUCH_WRITE = 2,
  TOUCH_SYNC = 4, /* as an object of synchronisation, not as data */
  TOUCH_NEW = 8,  /* … the object begins to be */
  TOUCH_END = 16, /* … or its life ends */
};

typedef struct {
  uint32_t key;
  unsigned kind;
  uint32_t offset; /* folded, or OFFSET_ANY */
  uint32_t size;   /* bytes; 0: unknown */
} Touch;

typedef void TouchVisit(void *user, const Touch *touch);

/* Calls `visit` for every object that the edge may touch itself; what a called function with a
 * body does is told by its own edges. The end of an object's life is a write. */
void touch_visit(const Program *program, const PointsTo *pointsto, EdgeId edge,
                 TouchVisit *visit, void *user);

/* The call is to a library function that does more than to touch memory and to return a value: it
 * calls back, keeps pointers, touches memory later, does not return, or is unknown. */
bool touch_call_lingers(const Program *program, const PointsTo *pointsto, EdgeId edge);

uint32_t touch_key(const Program *program, const PointsTo *pointsto, AObject object);
uint32_t touch_key_count(const Program *program, const PointsTo *pointsto);

#endif
