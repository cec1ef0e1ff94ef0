/* A reference count that is dropped with relaxed order, and the last one frees. */
#include "small.h"

typedef struct {
  atomic_int users;
  int value;
} Shared;
static void drop(Shared *s) {
  if (atomic_fetch_sub_explicit(&s->users, 1,
                                RACY ? memory_order_relaxed : memory_order_acq_rel) == 1)
    free(s);
}
static void *work(void *a) {
  Shared *s = a;
  s->value++;
  drop(s);
  return NULL;
}
int main(void) {
  Shared *s = malloc(sizeof *s);
  s->value = 0;
  atomic_init(&s->users, 2);
  pthread_t t = start(work, s);
  nap(20);
  drop(s);
  finish(t);
  return 0;
}
