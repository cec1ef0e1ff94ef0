/* Results that were written as JSON before, read again: to compare with, and to make one
 * report of many. */
#ifndef HEDDLE_REPORT_READ_H
#define HEDDLE_REPORT_READ_H

#include "base/err.h"
#include "verdict/result.h"

/* What a file says beside the result. */
typedef struct {
  const char *inputs; /* the words of its command, with spaces between them */
  const char *ended;  /* how the program ended, if it failed; or NULL */
} ReadOrigin;

/* Verdicts, and findings with their places, stacks, locks and schedules; not the locations. Texts
 * live in the result's arena. False after filling `err`; result_free in either case. */
bool report_read(const char *path, CheckResult *ret_result, ReadOrigin *ret_origin,
                 Err *err);

#endif
