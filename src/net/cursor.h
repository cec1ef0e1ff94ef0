/* The transitions that may be enabled at a marking, one after another, each once: at the
 * first place that it takes from. Those that take from none, as far as the caller wants
 * them, come last. The marking and the list stay as they are meanwhile. */
#ifndef HEDDLE_NET_CURSOR_H
#define HEDDLE_NET_CURSOR_H

#include "net/net.h"

typedef struct {
  uint32_t list, at; /* the place, by its number in the marking, and where in its list */
} Cursor;

/* NET_NONE behind the last one. */
static inline uint32_t cursor_next(Cursor *c, const Net *net, MarkingView marking,
                                   const Numbers *sources) {
  for (; c->list < marking.len; c->list++, c->at = 0) {
    uint32_t place = marking.at[c->list].place;
    uint32_t first = net->take_start.data[place], end = net->take_start.data[place + 1];
    while (c->at < end - first) {
      uint32_t t = net->take.data[first + c->at++];
      MarkingView pre = net_pre(net, t);
      if (pre.len > 0 && pre.at[0].place == place) return t;
    }
  }
  return c->at < sources->len ? sources->data[c->at++] : NET_NONE;
}

#endif
