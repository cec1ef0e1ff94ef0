/* safe: init once. */
#include <pthread.h>
#include <stdatomic.h>
atomic_int lk; int x;
static void init(void) { atomic_store(&lk, 0); }
static void *w(void *q) {
  while (atomic_exchange(&lk, 1)) ;
  x++;
  atomic_store(&lk, 0);
  return 0;
}
int main(void) { pthread_t t; init(); while (1) pthread_create(&t, 0, w, 0); }
