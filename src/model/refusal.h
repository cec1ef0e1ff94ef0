/* Which operations may fail though nobody misuses anything: a number that is out of range,
 * a time that is no time, a thread that cannot be had.
 *
 * What an edge returns in which case stands in Program.results; here stands which cases
 * there are, as far as the edge alone tells. An engine that knows the values may know
 * better. */
#ifndef HEDDLE_MODEL_REFUSAL_H
#define HEDDLE_MODEL_REFUSAL_H

#include "model/program.h"

/* False: the edge returns `ok` as long as nobody misuses it. */
bool refusal_is_possible(const Program *program, const Edge *edge);
/* True: a timed edge that gives up need not return `timeout`, for its time may be none. */
bool refusal_of_time(const Program *program, const Edge *edge);

#endif
