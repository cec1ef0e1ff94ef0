/* The program as far as the open obligations of races and assertions need it, for engines that
 * explore (analysis/slice.h). */
#ifndef HEDDLE_ENGINE_SLICED_H
#define HEDDLE_ENGINE_SLICED_H

#include "engine/open.h"

typedef struct {
  Program view;
  bool used;
} Sliced;

/* The slice for what is watched and, if `asserts`, for the assertions that the engine wants; the
 * whole program where everything is watched, where there was no time, and where the slice is not
 * accepted by its checker. Release with sliced_free. */
const Program *sliced_program(EngineContext *context, const OpenObjects *open,
                              bool asserts, Sliced *ret_sliced);
void sliced_free(Sliced *sliced);

#endif
