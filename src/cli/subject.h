/* The program that `heddle run`, `record` and `replay` start: the words after `--`. */
#ifndef HEDDLE_CLI_SUBJECT_H
#define HEDDLE_CLI_SUBJECT_H

#include "base/opt.h"
#include "cli/keep_input.h"
#include "predict/drive.h"

typedef struct {
  char *path;      /* its file */
  char *preload;   /* or NULL: it has the runtime inside */
  OptStrings argv; /* with NULL at the end */
  Drive drive;
  KeepInput *keep; /* standard input, when it is no file; or NULL */
} Subject;

/* How long its end waits; `member` of the options is in seconds. */
/* clang-format off */
#define LINGER_OPTION(type, member)                                                      \
  {OPT_INT, "linger", .argument = "S", .maximum = 3600, .initial = 1,                    \
   .help = "when the program ends, give threads that have not begun or are still "       \
   "running up to S seconds to go on", .offset = offsetof(type, member)}
/* clang-format on */

/* Who else takes part; `member` of the options is a text. */
/* clang-format off */
#define WITH_OPTION(type, member)                                                        \
  {OPT_STRING, "with", .argument = "CMD",                                                \
   .help = "let a shell run CMD beside the program, in every replay again: the clients " \
   "of a server; when they are done, the program is asked to end (SIGTERM)",             \
   .offset = offsetof(type, member)}
/* clang-format on */

/* False after filling `err`; call subject_close in either case. */
bool subject_open(Subject *subject, const OptStrings *words, Err *err);
void subject_close(Subject *subject);
/* Standard input is needed again and again: keeps it, unless it is a terminal or the like. */
void subject_keep_input(Subject *subject);
/* The first run is over: the others get what it had. */
void subject_reuse_input(Subject *subject);

#endif
