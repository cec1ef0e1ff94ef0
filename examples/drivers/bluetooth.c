/* The core of a Bluetooth driver after figure 2 of the KISS paper (PLDI 2004): requests are
 * counted, and the routine that stops the device waits until none is under way.
 *
 * io_enter looks at the flag before it counts the request. Between the two the device may
 * be stopped, and then the assertion in pnp_add fails. The flag and the event are plain
 * variables, so there are races on them, too. */
#include "kernel.h"

#include <assert.h>

struct extension {
  int pending_io;
  bool stopping_flag;
  bool stopping_event;
};

static bool stopped;

static int io_enter(struct extension *e) {
  if (e->stopping_flag) return STATUS_DELETED;
  interlocked_increment(&e->pending_io);
  return STATUS_SUCCESS;
}

static void io_leave(struct extension *e) {
  if (interlocked_decrement(&e->pending_io) == 0) e->stopping_event = true;
}

int add_device(struct extension *e) {
  interlocked_write(&e->pending_io, 1);
  e->stopping_flag = false;
  e->stopping_event = false;
  stopped = false;
  return STATUS_SUCCESS;
}

void pnp_add(struct extension *e) {
  int status = io_enter(e);
  if (status == STATUS_SUCCESS) {
    assert(!stopped); /* the work would be done here */
  }
  io_leave(e);
}

void pnp_stop(struct extension *e) {
  e->stopping_flag = true;
  io_leave(e);
  __VERIFIER_assume(e->stopping_event); /* waits */
  stopped = true;                       /* what was allocated would be released here */
}
