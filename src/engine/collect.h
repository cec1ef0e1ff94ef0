/* The obligations of a program: one list, made in one place. */
#ifndef HEDDLE_ENGINE_COLLECT_H
#define HEDDLE_ENGINE_COLLECT_H

#include "engine/analyses.h"
#include "verdict/obligation.h"

/* Fills *ret_obligations (release with obligations_free). `asked`: by property. Races are
 * collected whenever something is open that depends on them, asked for or not. `accepted` are the
 * edges that the user accepts as they are. */
void collect_obligations(Analyses *analyses, const bool asked[PROPERTY_COUNT],
                         const Map *accepted, Obligations *ret_obligations);

#endif
