// kiss 0: assert holds
// kiss 1: assert holds
// kiss 3: assert holds
// The check of reference counts of the paper's section 6: a ghost says that the device has gone, and every
// routine that was let in asserts that it has not. The reference comes first.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct extension {
  atomic_int references, removed;
};

static atomic_int gone; /* the ghost */

static void let_out(struct extension *e) {
  if (atomic_fetch_sub(&e->references, 1) == 1) atomic_store(&gone, 1);
}

static int let_in(struct extension *e) {
  atomic_fetch_add(&e->references, 1);
  if (!atomic_load(&e->removed)) return 1;
  let_out(e);
  return 0;
}

static void *remove_device(void *argument) {
  struct extension *e = argument;
  atomic_store(&e->removed, 1);
  let_out(e); /* the reference that the device began with */
  return NULL;
}

static void read_device(struct extension *e) {
  if (!let_in(e)) return;
  assert(!atomic_load(&gone));
  let_out(e);
}

int main(void) {
  pthread_t t;
  struct extension *e = calloc(1, sizeof *e);
  if (!e) return 1;
  atomic_init(&e->references, 1);
  pthread_create(&t, NULL, remove_device, e);
  read_device(e);
  return 0;
}
