/* A benign race, after the fakemodem driver of the KISS paper: the number of open handles
 * changes under a lock only. One place compares it with 0 without the lock: what it reads
 * could as well have been read with it. The comment there says that this is meant. */
#include "kernel.h"

struct extension {
  spin_lock op_lock;
  int open_count;
  int modem_status;
  int started;
};

int add_device(struct extension *x) {
  spin_init(&x->op_lock);
  return STATUS_SUCCESS;
}

int dispatch_create(struct extension *x) {
  int status = STATUS_SUCCESS;
  spin_acquire(&x->op_lock);
  if (x->open_count)
    status = STATUS_BUSY;
  else
    x->open_count++;
  x->modem_status = status;
  spin_release(&x->op_lock);
  return status;
}

int dispatch_close(struct extension *x) {
  spin_acquire(&x->op_lock);
  if (x->open_count) x->open_count--;
  spin_release(&x->op_lock);
  return STATUS_SUCCESS;
}

int dispatch_ioctl(struct extension *x, int code) {
  if (x->open_count == 0) return STATUS_INVALID; // heddle: accept
  spin_acquire(&x->op_lock);
  x->modem_status = code;
  spin_release(&x->op_lock);
  return STATUS_SUCCESS;
}
