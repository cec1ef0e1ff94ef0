/* Whether two accesses that a guided replay has taken are ordered: a happens-before
 * detector over what the runtime has logged.
 *
 * The order is that of C11 and POSIX: threads, locks, conditions (a signal, too), barriers,
 * semaphores, what runs once, and atomic operations and fences by their memory orders. */
#ifndef HEDDLE_PREDICT_UNORDERED_H
#define HEDDLE_PREDICT_UNORDERED_H

#include "trace/format.h"

#include <stdbool.h>

/* `control` is the answer of a replay with the goal CONTROL_TO_UNORDERED. True: the two
 * marked accesses were made, conflict, and neither happens before the other. */
bool unordered_showed(Control *control);

#endif
