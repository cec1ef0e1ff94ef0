/* The program that `heddle run`, `record` and `replay` start: the words after `--`. */
#ifndef HEDDLE_CLI_SUBJECT_H
#define HEDDLE_CLI_SUBJECT_H

#include "base/opt.h"
#include "predict/drive.h"

typedef struct {
  char *path;      /* its file */
  char *preload;   /* or NULL: it has the runtime inside */
  OptStrings argv; /* with NULL at the end */
  Drive drive;
} Subject;

/* How long its end waits; `member` of the options is in seconds. */
/* clang-format off */
#define LINGER_OPTION(type, member)                                                      \
  {OPT_INT, "linger", .argument = "S", .maximum = 3600, .initial = 1,                    \
   .help = "when the program ends, give threads that have not begun or are still "       \
   "running up to S seconds to go on", .offset = offsetof(type, member)}
/* clang-format on */

/* False after filling `err`; call subject_close in either case. */
bool subject_open(Subject *subject, const OptStrings *words, Err *err);
void subject_close(Subject *subject);
/* Standard input is needed again and again: keeps it when it is a file. */
void subject_keep_input(Subject *subject);

#endif
