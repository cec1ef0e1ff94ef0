/* The parser of the library table (docs/rules.md), as rules.c uses it. */
#ifndef HEDDLE_RULES_PARSE_H
#define HEDDLE_RULES_PARSE_H

#include "rules/rules.h"

/* Appends the rules of a text to the rules and effects of `set`, not to its maps. `file`
 * must live as long as the set. On false the error is filled and the tables may have
 * grown. */
bool rules_parse(RuleSet *set, const char *file, const char *text, size_t length,
                 bool user, Err *err);

#endif
