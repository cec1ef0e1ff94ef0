/* Warnings meet runs: what `heddle check` leaves open are the targets of real runs of the program. */
#ifndef HEDDLE_CLI_CHECK_CONFIRM_H
#define HEDDLE_CLI_CHECK_CONFIRM_H

#include "cli/cli.h"

#include "verdict/result.h"

typedef struct {
  const SourceOptions *source;
  const OptStrings *arguments; /* of the program */
  const char *with;            /* a file with a command in each line, instead; or NULL */
  Screen *screen;
  double seconds; /* that it may take */
  const volatile int *stop;
} ConfirmRequest;

/* Runs the program, several times and over several commands, with threads kept at the accesses of open
 * pairs. A pair that meets is an error with evidence `replayed`; of the others it is told how far they
 * came. The result is complete again afterwards. False after filling `err`: nothing can be run. */
bool check_confirm(const ConfirmRequest *request, CheckResult *result, Err *err);

#endif
