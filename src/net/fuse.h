/* A smaller net with the same answer: places that tokens only pass through are left out,
 * and the transition before is fused with the one after ("agglomeration").
 *
 * A place q may go when it is empty in the beginning, no target asks for it, every arc at
 * it has weight 1, no transition both takes from it and puts into it, and
 *   - what takes from q needs nothing else: a token that comes to q may go on at once,
 *     and what it does then only comes earlier; or
 *   - what puts into q makes nothing else: it may wait until its token is needed, and
 *     what it takes is only there longer.
 * Both need that nobody can tell "earlier" and "longer" but by more tokens: the net has
 * no transfers. Whoever fuses each transition that puts into q with each that takes from
 * it has a net that covers the same targets, in which q has no arcs any more. */
#ifndef HEDDLE_NET_FUSE_H
#define HEDDLE_NET_FUSE_H

#include "net/net.h"

typedef struct {
  Net *net;       /* same numbers of places and targets; other transitions */
  Numbers places; /* those that were left out, in this order */
  Numbers steps;  /* transitions of the net before, in the order they are fired */
  Numbers ends;   /* per transition of the new net: the end of its steps */
} Fused;

/* `net` is a core (see core.h). NULL when no place can be left out. */
Fused *fuse_new(const Net *net);
void fuse_free(Fused *fused); /* accepts NULL */

/* Appends the steps of a transition of the new net. */
void fuse_expand(const Fused *fused, uint32_t transition, Numbers *out);

#endif
