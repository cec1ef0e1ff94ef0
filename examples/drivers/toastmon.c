/* The shape of figure 6 of the KISS paper: the state of the device is written under a lock
 * by plug-and-play requests, and read without it by power requests. */
#include "kernel.h"

enum state { NOT_STARTED, STARTED, STOP_PENDING, STOPPED, REMOVE_PENDING, DELETED };
enum minor { PNP_START, PNP_QUERY_STOP, PNP_CANCEL_STOP, PNP_STOP, PNP_REMOVE };

struct extension {
  spin_lock remove_lock;
  enum state pnp_state;
  enum state previous_state;
  int power_state;
  int requests;
};

int add_device(struct extension *x) {
  spin_init(&x->remove_lock);
  x->pnp_state = NOT_STARTED;
  return STATUS_SUCCESS;
}

static void set_state(struct extension *x, enum state next) {
  x->previous_state = x->pnp_state;
  x->pnp_state = next;
}

int dispatch_pnp(struct extension *x, struct request *r) {
  spin_acquire(&x->remove_lock);
  x->requests++;
  r->status = STATUS_SUCCESS;
  switch (r->minor) {
  case PNP_START: set_state(x, STARTED); break;
  case PNP_QUERY_STOP: set_state(x, STOP_PENDING); break;
  case PNP_CANCEL_STOP: set_state(x, x->previous_state); break;
  case PNP_STOP: set_state(x, STOPPED); break;
  case PNP_REMOVE: set_state(x, DELETED); break;
  default: r->status = STATUS_INVALID;
  }
  spin_release(&x->remove_lock);
  return r->status;
}

int dispatch_power(struct extension *x, struct request *r) {
  if (x->pnp_state == DELETED) { /* race: the lock is not held */
    r->status = STATUS_DELETED;
    return r->status;
  }
  spin_acquire(&x->remove_lock);
  x->requests++;
  x->power_state = r->minor;
  r->status = STATUS_SUCCESS;
  spin_release(&x->remove_lock);
  return r->status;
}
