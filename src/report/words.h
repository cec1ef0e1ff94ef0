/* What the reports for people call things, and what they tell together. Internal to
 * src/report. */
#ifndef HEDDLE_REPORT_WORDS_H
#define HEDDLE_REPORT_WORDS_H

#include "verdict/result.h"

/* What a thread does there, as a verb: "writes", "waits for the lock". */
const char *word_verb(const FoundAccess *access);
/* What it does that to: the source's own words, else the object; "" if neither is known. */
const char *word_thing(const FoundAccess *access);

/* Two races on the same location, both errors or both warnings: one story. */
bool word_same_cause(const Finding *a, const Finding *b);

#endif
