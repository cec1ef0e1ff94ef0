/* How far a place is from the initial marking: an estimate of the number of firings that
 * bring one token there, where what several inputs cost adds up and nothing is shared. */
#ifndef HEDDLE_NET_DISTANCE_H
#define HEDDLE_NET_DISTANCE_H

#include "net/net.h"

/* One number per place, released with mem_free; UINT32_MAX for what is out of reach. */
uint32_t *distance_from_initial(const Net *net);

#endif
