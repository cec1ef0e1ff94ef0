/* The driver of bluetooth.c, mended: a request is counted before the flag is looked at, so
 * a stop that sees no request has been seen by all that come later. The flag and the event
 * are atomic. */
#include "kernel.h"

#include <assert.h>

struct extension {
  int pending_io;
  int stopping_flag;
  int stopping_event;
};

static bool stopped;

static int io_enter(struct extension *e) {
  interlocked_increment(&e->pending_io);
  if (interlocked_read(&e->stopping_flag)) return STATUS_DELETED;
  return STATUS_SUCCESS;
}

static void io_leave(struct extension *e) {
  if (interlocked_decrement(&e->pending_io) == 0)
    interlocked_write(&e->stopping_event, true);
}

int add_device(struct extension *e) {
  interlocked_write(&e->pending_io, 1);
  interlocked_write(&e->stopping_flag, false);
  interlocked_write(&e->stopping_event, false);
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
  interlocked_write(&e->stopping_flag, true);
  io_leave(e);
  __VERIFIER_assume(interlocked_read(&e->stopping_event)); /* waits */
  stopped = true; /* what was allocated would be released here */
}
