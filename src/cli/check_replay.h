/* Between the engines and the reports of `heddle check`: the errors that they have shown in
 * the model are shown in the real program, where that is possible. */
#ifndef HEDDLE_CLI_CHECK_REPLAY_H
#define HEDDLE_CLI_CHECK_REPLAY_H

#include "cli/cli.h"

#include "verdict/result.h"

/* Builds the program from its sources in a folder of its own, lets it follow the way to each
 * error, and makes the evidence of what showed EVIDENCE_REPLAYED. Nothing else changes:
 * what cannot be built or replayed stays as it is. `rest` are compiler flags after `--`;
 * at most `seconds` are used, and nothing is begun after `*stop`. */
void check_replay(const SourceOptions *source, const OptStrings *rest, Screen *screen,
                  double seconds, const volatile int *stop, CheckResult *result);

/* Builds the program of these sources, to be run, as a temporary file. */
bool check_build(const Program *program, const SourceOptions *source,
                 const OptStrings *rest, const char *output, double timeout, Err *err);

#endif
