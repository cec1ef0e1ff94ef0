/* Loops that count, for slices. */
#ifndef HEDDLE_ANALYSIS_SLICE_LOOPS_H
#define HEDDLE_ANALYSIS_SLICE_LOOPS_H

#include "analysis/control.h"

/* May the loop end because of what its own thread computes from locals, whatever others do? Who
 * counts does not wait. `inside`: the nodes of the loop, by number in the function. A condition that
 * is not understood does not count. */
bool slice_loop_counts(const Program *program, const Function *function,
                       const NodeList *loop, const uint8_t *inside);

#endif
