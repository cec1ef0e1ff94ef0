/* Which transitions can a run to a given marking use at all? A linear program over the
 * state equation answers for many at once: the largest set of transitions that fire in
 * some solution, and a vector y >= 0 that shows that no other transition does,
 *
 *     y·(what t adds)  <=  0  for every transition, < 0 for those outside of the set,
 *     y·m  >=  y·M0,
 *
 * for on a run to a marking above m, y·M cannot fall on the way. In floating point: the
 * pool checks the vector before it is used. For nets without transfers. */
#ifndef HEDDLE_NET_SUPPORT_H
#define HEDDLE_NET_SUPPORT_H

#include "net/net.h"

typedef struct Support Support;

Support *support_new(const Net *net); /* which must outlive it */
void support_free(Support *support);  /* accepts NULL */

/* Only transitions where `alive` is not zero fire; the state equation must have a solution
 * of them. False when a limit ended it, or there was numerical trouble. Budget and cost
 * as in lp.h. */
bool support_solve(Support *support, MarkingView marking, const uint8_t *alive,
                   uint64_t budget, uint32_t milliseconds, uint64_t *cost);

/* After that: y, per place. */
const double *support_weights(const Support *support);

#endif
