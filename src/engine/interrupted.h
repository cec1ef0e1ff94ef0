/* Waits that a signal ends.
 *
 * A semaphore is waited for until a unit comes or a handler of signals has run: then sem_wait
 * returns -1 and its thread has got nothing. The model has no such result. Handlers that are set by
 * signal(), or with SA_RESTART, let the wait begin anew, so that only others count. */
#ifndef HEDDLE_ENGINE_INTERRUPTED_H
#define HEDDLE_ENGINE_INTERRUPTED_H

#include "engine/analyses.h"

/* A wait for a semaphore that a handler may end, or 0. Needs the flow analysis. */
EdgeId interrupted_wait(Analyses *analyses);

#endif
