/* safe: the object comes back by join. */
#include <pthread.h>
#include <stdlib.h>
static void *two(void *p) { ++*(int *)p; return 0; }
static void *one(void *a) {
  int *p = malloc(sizeof *p);
  if (!p) return 0;
  *p = 1;
  pthread_t t;
  return p;
}
int main(void) { pthread_t t; void *r; pthread_create(&t, 0, one, 0); pthread_join(t, &r); int *q = r; if (q) ++*q; return 0; }
