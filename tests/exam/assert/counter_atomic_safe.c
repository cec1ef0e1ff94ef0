/* safe: three atomic additions. */
#include <pthread.h>
#include <stdatomic.h>
#include <assert.h>
atomic_int n;
static void *w(void *a) { atomic_fetch_add(&n, 2); return 0; }
int main(void) {
  pthread_t t[3];
  for (int i = 0; i < 3; i++) pthread_create(&t[i], 0, w, 0);
  for (int i = 0; i < 3; i++) pthread_join(t[i], 0);
  assert(atomic_load(&n) == 6);
  return 0;
}
