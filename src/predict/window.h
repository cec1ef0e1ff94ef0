/* Windows of a long run (section 4.7.3 of the paper): the steps of a window may come in any
 * order, those before it come as they were recorded, those behind it are not there.
 *
 * For a width of N events, windows are 2 N events long and begin every N events, so that any two
 * events at most N apart are together in one of them. */
#ifndef HEDDLE_PREDICT_WINDOW_H
#define HEDDLE_PREDICT_WINDOW_H

#include "predict/run.h"

/* Steps of the run: from `begin` to before `end`. */
typedef struct {
  uint32_t begin, end;
} Window;

/* `width` 0: one window, the whole run. */
uint32_t window_count(const Run *run, uint32_t width);
Window window_at(const Run *run, uint32_t width, uint32_t index);
/* Per thread: how many of its steps come before this one of the run. */
void window_lengths(const Run *run, uint32_t step, uint32_t *ret);

#endif
