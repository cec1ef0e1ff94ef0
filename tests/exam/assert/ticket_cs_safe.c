/* safe: two threads, endless ticket lock (distance never above 2). */
#include <pthread.h>
#include <stdatomic.h>
#include <assert.h>
atomic_uint next, srv; int in;
static void *w(void *p) {
  for (;;) {
    unsigned my = atomic_fetch_add(&next, 1u);
    while (atomic_load(&srv) != my) ;
    in++;
    assert(in == 1);
    in--;
    atomic_fetch_add(&srv, 1u);
  }
  return 0;
}
int main(void) { pthread_t a, b; pthread_create(&a, 0, w, 0); pthread_create(&b, 0, w, 0); pthread_join(a, 0); pthread_join(b, 0); return 0; }
