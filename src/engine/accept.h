/* What the user accepts: accesses in source lines with the comment `heddle: accept`, and what
 * the `accept` lines of rules files name. */
#ifndef HEDDLE_ENGINE_ACCEPT_H
#define HEDDLE_ENGINE_ACCEPT_H

#include "base/lines.h"
#include "base/map.h"
#include "model/program.h"

/* Adds the lines of a file that say so to the map, as key | line. A file that cannot be read
 * accepts nothing. */
void accept_lines(Lines *lines, const char *file, uint64_t key, Map *marked);
/* Adds every edge whose source line says so to the map. Files that cannot be read accept
 * nothing. */
void accept_by_comments(const Program *program, Map *accepted);
/* Adds every edge of the functions that rules files accept. */
void accept_by_rules(const Program *program, Map *accepted);

#endif
