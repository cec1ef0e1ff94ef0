/* Races between items of work, whoever does them.
 *
 * Threads of a pool come to the same places for their next item of work, and who gets which is
 * chance. When two such items access the same memory without a common lock, and one thread did
 * both, no order of the recorded steps is a race; and when two threads did them, those steps may
 * lead to it only if each takes again what it took. But another run deals them otherwise.
 * What is found here is a guess about such a run: a replay that keeps whoever comes first
 * (rt_meet.c) tells whether it is one, and only what shows is ever told. */
#ifndef HEDDLE_PREDICT_EXCHANGE_H
#define HEDDLE_PREDICT_EXCHANGE_H

#include "predict/races.h"

typedef VEC(RacePair) Exchanges;

/* Each pair of places in the code once, what is likely first. */
void exchange_find(const Run *run, const RacesOptions *options, Exchanges *ret);
/* One thread did nearly all, and most of those that were created hardly anything: in another
 * run they may have a share of it. */
bool exchange_is_lopsided(const Run *run);

#endif
