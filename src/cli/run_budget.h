/* How long recording, prediction and replays of a run should take together: about ten times
 * what the program takes by itself and two seconds. */
#ifndef HEDDLE_CLI_RUN_BUDGET_H
#define HEDDLE_CLI_RUN_BUDGET_H

#include "base/proc.h"

/* Seconds from the beginning of the recorded run, which ended so, until no further replay
 * is to begin. What a program computes takes longer while it is recorded, what it waits for
 * does not; on a machine that is busy with other work everything does. */
double run_budget(const ProcResult *end, double timeout);

#endif
