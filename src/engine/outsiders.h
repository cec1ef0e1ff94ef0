/* Who else has a part in the program without being seen in it: processes that it forks and shares
 * memory with, and code of the compiler and the library that calls functions of the program
 * without being told to. */
#ifndef HEDDLE_ENGINE_OUTSIDERS_H
#define HEDDLE_ENGINE_OUTSIDERS_H

#include "engine/analyses.h"

/* Notes SHARED_WITH_CHILD, LIBRARY_CALLS_ITSELF and CALLED_UNSEEN. Needs points-to. */
void outsiders_survey(Analyses *analyses);

#endif
