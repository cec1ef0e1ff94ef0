/* The result: obligations as verdicts, locations, errors and warnings. */
#ifndef HEDDLE_ENGINE_TELL_H
#define HEDDLE_ENGINE_TELL_H

#include "engine/ladder.h"
#include "engine/narrate.h"

/* Fills in everything that the ladder knows. */
void tell_result(const Ladder *ladder, CheckResult *result);

/* Adds a finding for everything that is suspected of the obligation and was not shown. */
void tell_warnings(const Ladder *ladder, const Obligation *obligation,
                   CheckResult *result, const char *name, SourcePlace declared);
/* Lists the accesses of a location. */
void tell_accesses(const Ladder *ladder, const Obligation *obligation, Location *location,
                   Arena *arena);

#endif
