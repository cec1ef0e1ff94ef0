/* What happened before what in the recorded run itself, by the rules of C11 and POSIX: the
 * order of threads, locks, conditions (a signal, too), barriers, semaphores, what runs once,
 * annotations, and atomic operations and fences by their memory orders.
 *
 * The answer has the form of a Run, so that races.h finds what is left unordered in it: here
 * every event is two steps, no lock is ever held (what a lock orders, it has ordered), and
 * run_ordered says which accesses happened before which, instead of in every order. */
#ifndef HEDDLE_PREDICT_HB_H
#define HEDDLE_PREDICT_HB_H

#include "predict/run.h"

/* Of an event: the first is what lies before it, the second the access that it is itself,
 * which knows what the event has acquired. */
enum { HB_POSITIONS = 2 };

/* Pass the result to run_free. With `presumed`, also what is not understood may have ordered
 * threads: a call that came back after another thread's that may have told it something
 * (TRACE_GIVE, TRACE_TAKE), a value or a token that nobody was seen to leave there, the
 * beginning of a thread that nobody was seen to create. `memory` bounds the bytes of clocks:
 * from there on everything counts as ordered, and *ret_cut is set. */
void hb_init(Run *ret, const Trace *trace, bool presumed, uint64_t memory, bool *ret_cut);

#endif
