/* Static libraries: the members of an `ar` archive, with the long names of GNU and BSD,
 * and of thin archives, whose members are files of their own. Any bytes may be given. */
#ifndef HEDDLE_FRONT_ARCHIVE_H
#define HEDDLE_FRONT_ARCHIVE_H

#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>

bool archive_has_magic(const void *data, size_t size);

/* Calls back for each member that is a file, until it returns false. `path` is the
 * archive's, for messages and for the members of thin archives. The strings and bytes die
 * after the call. False after damage, an unreadable member, or a false callback. */
typedef bool ArchiveCall(void *user, const char *member, const void *data, size_t size,
                         Err *err);
bool archive_each(const void *data, size_t size, const char *path, ArchiveCall *call,
                  void *user, Err *err);

#endif
