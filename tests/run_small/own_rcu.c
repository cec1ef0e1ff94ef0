/* Read, copy, update. */
#include "small.h"

struct c {
  int v;
};
struct c *_Atomic cur;
atomic_int readers;
static void *r(void *p) {
  atomic_fetch_add(&readers, 1);
  struct c *k = atomic_load(&cur);
  int v = k->v;
  atomic_fetch_sub(&readers, 1);
  return v > 100 ? p : 0;
}
static void *w(void *p) {
  struct c *n = malloc(sizeof *n);
  n->v = 2;
  struct c *old = atomic_exchange(&cur, n);
  if (!RACY)
    while (atomic_load(&readers)) {
    }
  free(old);
  return p;
}
int main(void) {
  struct c *f = malloc(sizeof *f);
  f->v = 1;
  cur = f;
  pthread_t a = start(r, 0), b = start(w, 0);
  finish(a);
  finish(b);
  return 0;
}
