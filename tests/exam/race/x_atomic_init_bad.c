/* bad: atomic_init is no atomic access (C11 7.17.2.2). */
#include <pthread.h>
#include <stdatomic.h>
atomic_int n;
static void *w(void *p) { atomic_fetch_add(&n, 1); return 0; }
int main(void) {
  pthread_t a;
  pthread_create(&a, 0, w, 0);
  atomic_init(&n, 5);
  pthread_join(a, 0);
  return 0;
}
