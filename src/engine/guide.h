/* A plan: steps of threads that an engine without data believes to lead somewhere. Plain
 * data, made by one engine and followed by another. */
#ifndef HEDDLE_ENGINE_GUIDE_H
#define HEDDLE_ENGINE_GUIDE_H

#include "model/ids.h"

#include <stdint.h>

/* A step that a thread should take next: whatever it does before is its own affair. */
typedef struct {
  uint32_t thread; /* in the order of creation; 0 is the main thread */
  EdgeId edge;
} GuideStep;

#endif
