/* Whose writes the reads of a run saw.
 *
 * A thread goes the same way again when it reads the same values again, and it reads the
 * same values when each read comes after the write that it came after in the recorded run,
 * and no other write lies between. So an order that has what its steps read from, and
 * otherwise keeps the recorded order, can be followed. */
#ifndef HEDDLE_PREDICT_SOURCES_H
#define HEDDLE_PREDICT_SOURCES_H

#include "base/map.h"
#include "base/vec.h"

/* What a thread read at one of its positions, it read from another thread that had done so
 * many steps. */
typedef struct {
  uint32_t position, thread, steps;
} Source;

typedef VEC(Source) SourceList;

/* Zero-initialise to get an empty one. */
typedef struct {
  VEC(SourceList) threads; /* each by ascending positions */
  Map known; /* reader and writer → the most steps so far: fewer are not noted again */
} Sources;

/* To be called in the order of the run. */
void sources_add(Sources *sources, uint32_t reader, uint32_t position, uint32_t writer,
                 uint32_t steps);
/* Those of a thread, or NULL when it has none. */
const SourceList *sources_of(const Sources *sources, uint32_t thread);
void sources_free(Sources *sources);

#endif
