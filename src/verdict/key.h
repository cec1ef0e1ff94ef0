/* Whether two findings, of two runs or of two versions of a program, are the same one. */
#ifndef HEDDLE_VERDICT_KEY_H
#define HEDDLE_VERDICT_KEY_H

#include "base/str.h"
#include "verdict/result.h"

/* Adds a text that is equal for equal findings: the property, the name of the object and for
 * each access its kind, file and function, in whichever order they are listed. With `lines`
 * also their lines: then they are of one version of the program. Without, lines may have
 * moved; several findings can then have the same key. */
void finding_add_key(const Finding *finding, bool lines, Str *out);

#endif
