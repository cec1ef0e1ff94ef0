/* safe: bakery for two with small numbers, choosing flags, atomic sections for each access; each enters once. */
#include <pthread.h>
#include <stdatomic.h>
#include <assert.h>
atomic_int c0, c1, n0, n1, in;
static void *p0(void *a) {
  atomic_store(&c0, 1);
  atomic_store(&n0, atomic_load(&n1) + 1);
  atomic_store(&c0, 0);
  while (atomic_load(&c1)) ;
  while (atomic_load(&n1) != 0 && atomic_load(&n1) < atomic_load(&n0)) ;
  atomic_fetch_add(&in, 1);
  assert(atomic_load(&in) == 1);
  atomic_fetch_sub(&in, 1);
  atomic_store(&n0, 0);
  return 0;
}
static void *p1(void *a) {
  atomic_store(&c1, 1);
  atomic_store(&n1, atomic_load(&n0) + 1);
  atomic_store(&c1, 0);
  while (atomic_load(&c0)) ;
  while (atomic_load(&n0) != 0 && atomic_load(&n0) <= atomic_load(&n1)) ;
  atomic_fetch_add(&in, 1);
  assert(atomic_load(&in) == 1);
  atomic_fetch_sub(&in, 1);
  atomic_store(&n1, 0);
  return 0;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, p0, 0); pthread_create(&b, 0, p1, 0);
  pthread_join(a, 0); pthread_join(b, 0);
  return 0;
}
