/* The objects that open obligations of races are about, as flags by ObjectId: what engines that
 * explore have to watch, and what they must not rely on. */
#ifndef HEDDLE_ENGINE_OPEN_H
#define HEDDLE_ENGINE_OPEN_H

#include "engine/engine.h"

typedef struct {
  uint8_t *watched; /* accesses may race; NULL: nothing is known about any object */
  uint8_t *racy;    /* known to race, or accepted: their contents may be anything */
} OpenObjects;

/* Release with open_objects_free. */
OpenObjects open_objects(const EngineContext *context);
void open_objects_free(OpenObjects *open);

/* The object is known to race from now on. */
void open_objects_give_up(OpenObjects *open, ObjectId object);

/* Claims every open obligation of races about objects that were watched and are not racy, and
 * ELSEWHERE if everything was watched. */
void open_objects_claim(EngineContext *context, const OpenObjects *open, ProofKind proof);

/* The object of the location to which both accesses belong, 0: none is open. */
ObjectId open_objects_of_pair(const EngineContext *context, const EdgeId edges[2]);

#endif
