/* See window.h. */
#include "predict/window.h"

/* The last window would hold only what the one before it holds. */
uint32_t window_count(const Run *run, uint32_t width) {
  uint32_t events = run->trace->events.len;
  if (!width || events <= 2 * (uint64_t)width) return 1;
  return (events - 1) / width;
}

Window window_at(const Run *run, uint32_t width, uint32_t index) {
  if (!width) return (Window){0, run->steps.len};
  uint64_t from = (uint64_t)index * width;
  return (Window){run_step_at(run, from), run_step_at(run, from + 2 * (uint64_t)width)};
}

void window_lengths(const Run *run, uint32_t step, uint32_t *ret) {
  for (uint32_t t = 0; t < run->threads.len; t++) ret[t] = 0;
  for (uint32_t i = 0; i < step; i++) ret[run->steps.data[i].thread]++;
}
