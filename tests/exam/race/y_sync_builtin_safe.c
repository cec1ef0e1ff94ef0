/* safe: __sync lock. */
#include <pthread.h>
int l1, l2, x;
static void lk(int *l) { while (__sync_lock_test_and_set(l, 1)) ; }
static void ul(int *l) { __sync_lock_release(l); }
static void *a(void *q) { lk(&l1); x++; ul(&l1); return 0; }
static void *b(void *q) {
  lk(&l1); x++; ul(&l1);
  return 0; }
int main(void) { pthread_t t; while (1) { pthread_create(&t, 0, a, 0); pthread_create(&t, 0, b, 0); } }
