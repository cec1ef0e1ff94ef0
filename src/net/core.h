/* The part of a net that matters for covering its target.
 *
 * Left out are: places that can never be marked (together they are a siphon without
 * tokens) and the transitions that need them; transitions that add to no place the target
 * depends on, and places it does not depend on; places with any number of tokens in the
 * beginning that are never emptied by a transfer, since they never keep a transition from
 * firing; and transitions that repeat another. A target can be covered in the core if and
 * only if it can be in the net, by the same transitions. */
#ifndef HEDDLE_NET_CORE_H
#define HEDDLE_NET_CORE_H

#include "net/net.h"

typedef struct {
  Net *net;               /* indexed; its targets are those that may be covered at all */
  VEC(uint32_t) place_of; /* of the original net, per place of the core */
  VEC(uint32_t) transition_of;
  VEC(uint32_t) target_of;
  VEC(uint32_t) dead; /* places of the original that are never marked, ascending */
} Core;

Core *core_new(const Net *net);
void core_free(Core *core); /* accepts NULL */

#endif
