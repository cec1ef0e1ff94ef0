/* Names of what lies inside of a variable, by the debug information of the program:
 * "opts.match_found", "queue[3].next". */
#ifndef HEDDLE_TRACE_MEMBERS_H
#define HEDDLE_TRACE_MEMBERS_H

#include "base/str.h"

#include <elfutils/libdwfl.h>

typedef struct Members Members;

Members *members_new(void);
void members_free(Members *members); /* accepts NULL */

/* Adds the path from the variable that begins at `variable` to what lies `offset` bytes behind
 * its beginning: nothing for a scalar. False, with nothing added, when the type is not known or
 * the path does not end there. Modules must stay open. */
bool members_add_path(Members *members, Dwfl_Module *module, uint64_t variable,
                      uint64_t offset, Str *out);

#endif
