/* safe: the callee does not lock. */
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; int x;
static void add(int k) {
  x += k;
}
static void *w(void *v) {
  int k = __VERIFIER_nondet_int();
  pthread_mutex_lock(&m); add(k & 15); pthread_mutex_unlock(&m);
  return 0;
}
int main(void) { pthread_t t; pthread_create(&t, 0, w, 0); pthread_join(t, 0); return x; }
