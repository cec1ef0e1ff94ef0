/* Suppressions in the syntax of ThreadSanitizer: lines `kind:pattern`, comments with #. */
#ifndef HEDDLE_CLI_SUPPRESS_H
#define HEDDLE_CLI_SUPPRESS_H

#include "base/err.h"
#include "verdict/result.h"

typedef struct Suppressions Suppressions;

Suppressions *suppress_new(void);
void suppress_free(Suppressions *all); /* accepts NULL */
/* False after filling `err`: a line without a kind, or of an unknown one. */
bool suppress_read(Suppressions *all, const char *path, Err *err);
/* `race` and `deadlock` name functions and files of the accesses and of their stacks, or the
 * object; `race_top` only where the access itself stands. */
bool suppress_covers(const Suppressions *all, const Finding *finding);
/* A pattern is a part of the text; * is any text, ^ in front the beginning, $ at last the end. */
bool suppress_matches(const char *pattern, const char *text);

#endif
