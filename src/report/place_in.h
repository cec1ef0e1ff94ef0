/* Names of files as they are in a repository. Internal to src/report. */
#ifndef HEDDLE_REPORT_PLACE_IN_H
#define HEDDLE_REPORT_PLACE_IN_H

#include "base/str.h"

#include <stdbool.h>

/* Appends the name that `file` has in the folder `root`, without links and "..". False, and
 * nothing appended: it is not in there, or root is NULL. */
bool place_in(const char *root, const char *file, Str *out);

#endif
