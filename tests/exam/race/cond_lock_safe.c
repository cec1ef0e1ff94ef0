/* safe: mt is chosen before the threads begin; without it there is one thread. */
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; int mt, x;
static void lk(void) { if (mt) pthread_mutex_lock(&m); }
static void ul(void) { if (mt) pthread_mutex_unlock(&m); }
static void *w(void *p) { lk(); x++; ul(); return 0; }
int main(void) {
  pthread_t a, b;
  mt = __VERIFIER_nondet_int() != 0;
  pthread_create(&a, 0, w, 0);
  if (mt) {
    pthread_create(&b, 0, w, 0);
    pthread_join(b, 0);
  }
  pthread_join(a, 0);
  return x;
}
