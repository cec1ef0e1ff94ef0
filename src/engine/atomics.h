/* Atomics whose values may be followed in interleavings.
 *
 * The values of atomics that are weaker than sequentially consistent are not followed: a load
 * of one gives anything, so that there is every order in which C11 may let things happen. One
 * location that is the only atomic one, and hands over with each access, behaves like a
 * sequentially consistent one. */
#ifndef HEDDLE_ENGINE_ATOMICS_H
#define HEDDLE_ENGINE_ATOMICS_H

#include "analysis/pointsto.h"

/* The place of this object is one place in every run, and no element of an array. */
typedef bool AtomicsSingle(void *user, ObjectId object, uint32_t offset);

/* Sets `ret_weak[o]` for each object that is accessed by atomics that are too weak to follow.
 * objects.len + 1 of them, all 0 before. */
void atomics_find_weak(const Program *program, const PointsTo *pointsto,
                       AtomicsSingle *is_single, void *user, uint8_t *ret_weak);

#endif
