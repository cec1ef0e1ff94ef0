/* bad: the lock is released before the write. */
#include <pthread.h>
#include <stdatomic.h>
atomic_int l; int x;
static void *w(void *a) {
  int e = 0;
  while (!atomic_compare_exchange_strong(&l, &e, 1)) e = 0;
  int t = x;
  atomic_store(&l, 0);
  x = t + 1;
  return 0;
}
int main(void) { pthread_t t; while (1) pthread_create(&t, 0, w, 0); }
