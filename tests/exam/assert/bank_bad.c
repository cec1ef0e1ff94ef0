/* bad: the transfer lets go of the lock in its middle. */
#include <pthread.h>
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; int a = 100, b = 100;
static void *xfer(void *p) {
  int n = __VERIFIER_nondet_int();
  if (n < 0 || n > 100) return 0;
  pthread_mutex_lock(&m);
  if (a >= n) {
    a -= n;
    pthread_mutex_unlock(&m); pthread_mutex_lock(&m);
    b += n;
  }
  pthread_mutex_unlock(&m);
  return 0;
}
static void *audit(void *p) { pthread_mutex_lock(&m); assert(a + b == 200); pthread_mutex_unlock(&m); return 0; }
int main(void) { pthread_t t; while (1) { pthread_create(&t, 0, xfer, 0); pthread_create(&t, 0, audit, 0); } }
