/* safe: both takers empty the slot under one lock. */
#include <pthread.h>
#include <stdlib.h>
#include <stdatomic.h>
struct item { int v; };
pthread_mutex_t m1 = PTHREAD_MUTEX_INITIALIZER, m2 = PTHREAD_MUTEX_INITIALIZER; _Atomic(struct item *) slot;
static struct item *take(pthread_mutex_t *m) {
  pthread_mutex_lock(m);
  struct item *it = atomic_load(&slot);
  atomic_store(&slot, NULL);
  pthread_mutex_unlock(m);
  return it;
}
static void *c1(void *p) { struct item *it = take(&m1); if (it) it->v++; return 0; }
static void *c2(void *p) { struct item *it = take(&m1); if (it) it->v++; return 0; }
int main(void) {
  pthread_t t;
  struct item *it = malloc(sizeof *it);
  if (!it) abort();
  it->v = 0;
  atomic_store(&slot, it);
  pthread_create(&t, 0, c1, 0); pthread_create(&t, 0, c2, 0);
  return 0;
}
