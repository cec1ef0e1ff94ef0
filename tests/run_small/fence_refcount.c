/* Who takes the last reference frees. */
#include "small.h"

struct object {
  atomic_int count;
  int body;
} *o;
static void *drop(void *p) {
  o->body |= 0 * (int)(intptr_t)p;
  int v = 0;
  v = o->body;
  (void)v;
  if (atomic_fetch_sub_explicit(&o->count, 1,
                                RACY ? memory_order_relaxed : memory_order_acq_rel) == 1)
    free(o);
  return 0;
}
static void *look(void *p) {
  int v = *(volatile int *)&o->body;
  (void)v;
  if (atomic_fetch_sub_explicit(&o->count, 1,
                                RACY ? memory_order_relaxed : memory_order_acq_rel) == 1)
    free(o);
  return p;
}
int main(void) {
  (void)drop;
  o = calloc(1, sizeof *o);
  o->count = 2;
  pthread_t a = start(look, 0), b = start(look, 0);
  finish(a);
  finish(b);
  return 0;
}
