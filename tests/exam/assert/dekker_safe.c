/* safe: Dekker's algorithm with sequentially consistent atomics. */
#include <pthread.h>
#include <stdatomic.h>
#include <assert.h>
atomic_int f0, f1, turn, in;
static void *p0(void *a) {
  atomic_store(&f0, 1);
  while (atomic_load(&f1))
    if (atomic_load(&turn) != 0) {
      atomic_store(&f0, 0);
      while (atomic_load(&turn) != 0) ;
      atomic_store(&f0, 1);
    }
  assert(atomic_fetch_add(&in, 1) == 0);
  atomic_fetch_sub(&in, 1);
  atomic_store(&turn, 1); atomic_store(&f0, 0);
  return 0;
}
static void *p1(void *a) {
  atomic_store(&f1, 1);
  while (atomic_load(&f0))
    if (atomic_load(&turn) != 1) {
      atomic_store(&f1, 0);
      while (atomic_load(&turn) != 1) ;
      atomic_store(&f1, 1);
    }
  assert(atomic_fetch_add(&in, 1) == 0);
  atomic_fetch_sub(&in, 1);
  atomic_store(&turn, 0); atomic_store(&f1, 0);
  return 0;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, p0, 0); pthread_create(&b, 0, p1, 0);
  pthread_join(a, 0); pthread_join(b, 0);
  return 0;
}
