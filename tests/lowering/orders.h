/* What one step of the interpreter ordered, beside what a row says that it acquires and releases.
 *
 * The interpreter orders more than the rows: it also takes a signal and a request of cancellation
 * for orders, which no standard promises, and so are left out here. What is acquired and released at
 * a barrier it tells when the barrier opens, for all threads at once. */
#ifndef HEDDLE_TESTS_LOWERING_ORDERS_H
#define HEDDLE_TESTS_LOWERING_ORDERS_H

#include "shadow.h"

/* Events of one step. */
typedef struct {
  VEC(ExecEvent) events;
} Orders;

/* An ExecWatch; `user` is the Orders. */
void orders_note(void *user, const ExecEvent *event);
/* The step that the shadow looks at took this row. NULL: it ordered what the row says; otherwise what
 * differs. */
const char *orders_differ(const Orders *orders, const Shadow *shadow,
                          const LowerRow *row);

#endif
