/* What belongs to heddle and lies in files of its own: the runtime that goes into programs,
 * and parts of the tool that are loaded when they are first used, since the libraries
 * behind them take longer to load than most commands to run. */
#ifndef HEDDLE_BASE_PART_H
#define HEDDLE_BASE_PART_H

#include "base/err.h"

/* The path of a file that is installed with heddle: beside the tool, or in ../lib/heddle.
 * NULL after filling `err`; mem_free the result. */
char *part_find(const char *name, Err *err);

/* A function of a part, which is loaded by the first call and stays. What the part uses
 * of heddle is that of the tool. NULL after filling `err`. Of the type that the caller
 * knows:
 *   typeof(weave_bitcode) *weave = (typeof(weave))part_function(PART, "weave_bitcode", err);
 */
typedef void PartFunction(void);
PartFunction *part_function(const char *name, const char *function, Err *err);

#endif
