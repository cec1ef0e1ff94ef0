/* Runs in which a thread finds its condition true and does not wait (section 4.3.2 of the
 * paper).
 *
 * A loop around a wait whose exit was seen (TRACE_WAIT_EXIT) may be left without waiting
 * when the signal that ended the last wait was given before; or, early, when the mutex was
 * unlocked by who gave it later, since that may have made the condition true. Such a run is not an order
 * of the recorded steps: some of them are not there. So it is made as a trace of its own,
 * in which the waits are left out, the exit needs the signal, and the thread comes to the
 * loop when it was woken. Whether the program goes that way, a replay tells. */
#ifndef HEDDLE_PREDICT_SKIPS_H
#define HEDDLE_PREDICT_SKIPS_H

#include "predict/run.h"

typedef struct {
  uint32_t thread;
  uint32_t lock;          /* events of the thread: the lock before the loop, */
  uint32_t first, behind; /* the first wait, and the exit behind the last wake */
  uint32_t signal; /* event of the trace: what ended the last wait, or the unlock */
} Skip;

typedef VEC(Skip) Skips;

/* The loops that could have been left without waiting. */
void skips_find(const Run *run, bool early, Skips *ret);
/* The trace with these of them skipped. It shares texts with the run's trace, which must
 * outlive it; release it with trace_free. */
void skips_apply(const Run *run, const Skip *skips, uint32_t count, Trace *ret);

#endif
