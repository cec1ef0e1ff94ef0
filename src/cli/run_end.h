/* How `heddle run` ends: where its text goes, and its exit status. The output of the program
 * stays the program's own. */
#ifndef HEDDLE_CLI_RUN_END_H
#define HEDDLE_CLI_RUN_END_H

#include "cli/run_report.h"

/* `log`: of --log, or NULL for standard error. Before the run: false after filling `err` when
 * nothing can be written there. */
bool run_log_check(const char *log, Err *err);
/* In `log`, %p is the number of the process and %% a per cent sign. */
bool run_log_write(const char *log, uint32_t process, const Str *text, Err *err);

/* `found`: the status when an error was found; 0: findings do not change the status. A
 * program that failed keeps its own. */
int run_status(const RunReport *const *all, uint32_t count, int found);

#endif
