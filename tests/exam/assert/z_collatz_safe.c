/* safe: the orbit of 27 stays below 9233. */
#include <pthread.h>
#include <stdatomic.h>
#include <assert.h>
atomic_uint v = 27;
static void *w(void *p) { while (atomic_load(&v) != 1) { unsigned x = atomic_load(&v); atomic_store(&v, x % 2 ? 3 * x + 1 : x / 2); } return 0; }
int main(void) {
  pthread_t t; pthread_create(&t, 0, w, 0);
  assert(atomic_load(&v) < 9233);
  return 0;
}
