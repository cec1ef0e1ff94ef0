/* Signals that ask heddle to stop (SIGINT, SIGTERM, SIGHUP) while it watches a program of the
 * user's. The first request is the program's: it ends as it would without heddle, and what
 * is known by then is told. When no program runs, long work ends early instead. The second
 * request ends everything at once, and heddle dies of that signal.
 *
 * `timeout` and others send a signal to a process and to its group: what comes right behind
 * the first is the same request. */
#ifndef HEDDLE_BASE_INTERRUPT_H
#define HEDDLE_BASE_INTERRUPT_H

#include <stdbool.h>

/* From now on, instead of the handlers that are there. Signals that are ignored stay so.
 * Processes that lose their parent become children of this one, so that they can be found. */
void interrupt_take(void);
/* Who gets the first request: a process of this process group, or 0 for nobody. One that
 * came a moment before is passed on. */
void interrupt_lead(int process);
/* The first request came. */
bool interrupt_asked(void);
/* The first request came when nobody led: end soon, with what there is. */
bool interrupt_cuts(void);
/* Requests are taken: who waits has to look now and then. */
bool interrupt_taken(void);
/* Whoever waits for children says so, and asks in between whether heddle has to die. */
void interrupt_waits(bool waits);
/* The second request came. */
bool interrupt_over(void);
/* Dies of it, after everything that heddle started. */
void interrupt_die(void);

/* Kills all children of this process, theirs, and so on. */
void interrupt_end_descendants(void);

#endif
