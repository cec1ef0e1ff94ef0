/* Predecessors: the minimal markings from which firing a transition leads to at least a
 * given marking. Without transfers there is exactly one; with transfers, one for each way
 * to spread what is demanded of a place over the places that give their tokens to it. */
#ifndef HEDDLE_NET_PRE_H
#define HEDDLE_NET_PRE_H

#include "net/net.h"

/* Called for each; returns false to end the enumeration. */
typedef bool PreVisit(void *user, MarkingView predecessor);

typedef enum {
  PRE_DONE,
  PRE_ENDED,     /* by the visitor */
  PRE_TOO_LARGE, /* a count passed NET_MOST, or there are more than a million ways */
} PreResult;

/* Scratch space for many calls; zero-initialise, release with pre_free. */
typedef struct {
  Marking out;
  VEC(uint32_t) sources; /* of the demands, one after another */
  VEC(struct PreDemand) demands;
} PreScratch;

struct PreDemand {
  uint32_t count, start, len; /* tokens wanted from sources[start .. start + len) */
};

void pre_free(PreScratch *scratch);

PreResult pre_visit(const Net *net, uint32_t t, MarkingView marking, PreScratch *scratch,
                    PreVisit *visit, void *user);

#endif
