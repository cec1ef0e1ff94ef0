/* bad: tickets modulo 4 with any number of threads: five at once give one number twice. */
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
  while (1) pthread_create(&t, 0, w, 0);
  return 0;
}
