/* What the user accepts: accesses in source lines with the comment `heddle: accept`, and what
 * the `accept` lines of rules files name. */
#ifndef HEDDLE_ENGINE_ACCEPT_H
#define HEDDLE_ENGINE_ACCEPT_H

#include "base/map.h"
#include "model/program.h"

/* Adds every edge whose source line says so to the map. Files that cannot be read accept
 * nothing. */
void accept_by_comments(const Program *program, Map *accepted);
/* Adds every edge of the functions that rules files accept. */
void accept_by_rules(const Program *program, Map *accepted);

#endif
