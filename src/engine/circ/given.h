/* Predicates of the user: `--predicate 'state == 0; count < limit'`.
 *
 *   text    = comparison { ";" comparison }
 *   comparison = side ("==" | "!=" | "<" | "<=" | ">" | ">=") side
 *   side    = a name as reports write it, or a number
 *
 * Comparisons are signed. A name means every variable that is called so; one that a question is not about
 * is passed over. */
#ifndef HEDDLE_ENGINE_CIRC_GIVEN_H
#define HEDDLE_ENGINE_CIRC_GIVEN_H

#include "base/err.h"

#include <stdbool.h>

/* False after filling `err`: it is not as above. */
bool circ_given_check(const char *text, Err *err);

#endif
