/* When a command that searches is to come to an end: its time is over, the user interrupts it, or
 * memory has run out. There is one such thing in a process, because signals bring it about. */
#ifndef HEDDLE_CLI_STOP_H
#define HEDDLE_CLI_STOP_H

#include "base/limit.h"

extern volatile int cli_stop; /* StopReason */

/* From now on cli_stop tells of an end: after `seconds`, or at the first interrupt; the second
 * interrupt ends the program. */
void cli_watch_time(double seconds);
void cli_stop_watching(void);
/* The time is over in `seconds` from now; 0: never. */
void cli_set_timer(double seconds);

#endif
