/* No command overwrites what it reads, or writes two results to one file. */
#ifndef HEDDLE_CLI_OUTPUTS_H
#define HEDDLE_CLI_OUTPUTS_H

#include "base/opt.h"

#include <stdbool.h>

/* `values` as opt_parse has filled them. False after filling `err`. */
bool outputs_are_apart(const OptCommand *table, const void *values, Err *err);

#endif
