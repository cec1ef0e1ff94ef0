/* Happens-before of a run, as a graph: the second look at what vector clocks have found.
 *
 * The events of a run (ExecEvent) are kept as they come. Whether one happens before
 * another is decided from the definition: a path along the order of each thread and the
 * pairs that synchronise, each of which is looked up in the log itself. It shares nothing
 * with model/exec/clocks.c but the events. */
#ifndef HEDDLE_ENGINE_HUNT_ORDER_H
#define HEDDLE_ENGINE_HUNT_ORDER_H

#include "base/map.h"
#include "base/vec.h"
#include "model/exec/exec.h"

typedef struct {
  ExecEvent event;
  uint32_t step;     /* of the schedule */
  uint32_t previous; /* event of the same thread, as index + 1; 0: none */
  uint32_t same;     /* release of the same channel, atomic write of the same place: the
                        last one before, as index + 1 */
  uint32_t fence;    /* the last release fence of the thread before, as index + 1 */
} OrderEvent;

typedef struct {
  VEC(OrderEvent) events;
  VEC(uint32_t) last;   /* event of each thread (number n at n - 1), as index + 1 */
  VEC(uint32_t) fences; /* the same for release fences */
  Map same;             /* channel or place to its last event, as index + 1 */
} OrderLog;

void order_free(OrderLog *log);
void order_add(OrderLog *log, const ExecEvent *event, uint32_t step);

/* Does event a happen before event b? (Indices; a < b.) Also true where that takes too long to
 * find out. */
bool order_is_before(const OrderLog *log, uint32_t a, uint32_t b);

/* Two accesses to a common byte that are not ordered: by these threads and edges, in these
 * steps. */
bool order_find_race(const OrderLog *log, const uint32_t threads[2],
                     const EdgeId edges[2], const uint32_t steps[2], uint32_t ret[2]);

/* Why a, which is not before b, looks as if it were: the value that led from a's thread to
 * b's without ordering anything. False: no value did. */
typedef enum {
  GAP_PLAIN,  /* no atomic */
  GAP_STORE,  /* the store does not release */
  GAP_LOAD,   /* the load does not acquire */
  GAP_BROKEN, /* another store ended the release sequence */
} GapKind;

typedef struct {
  GapKind kind;
  uint32_t write, read; /* events */
} OrderGap;

bool order_find_gap(const OrderLog *log, uint32_t a, uint32_t b, OrderGap *ret_gap);

#endif
