/* The last of two workers reads what both have written, by a relaxed counter. */
#include "small.h"

int part[2];
atomic_int done;
static void *work(void *a) {
  int me = a != NULL;
  memory_order order = RACY ? memory_order_relaxed : memory_order_acq_rel;
  part[me] = 1 + me;
  if (atomic_fetch_add_explicit(&done, 1, order) == 1) part[0] += part[1];
  return NULL;
}
int main(void) {
  pthread_t t = start(work, &done), u = start(work, NULL);
  finish(t);
  finish(u);
  return part[0] != 3;
}
