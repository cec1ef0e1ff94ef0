/* safe: tickets modulo 4, but at most three threads hold one. */
#include <pthread.h>
#include <stdatomic.h>
atomic_uint next, srv; int x;
static void *w(void *a) {
  unsigned my = atomic_fetch_add(&next, 1u) & 3u;
  while ((atomic_load(&srv) & 3u) != my) ;
  x++;
  atomic_fetch_add(&srv, 1u);
  return 0;
}
int main(void) {
  pthread_t t;
  for (int i = 0; i < 3; i++) pthread_create(&t, 0, w, 0);
  return 0;
}
