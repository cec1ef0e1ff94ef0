/* assert: safe */
/* What is added under a lock is even. */
#include <assert.h>
#include <pthread.h>

int __VERIFIER_nondet_int(void);

static unsigned x;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *arg) {
  pthread_mutex_lock(&m);
  x += 2;
  assert(x % 2 == 0);
  pthread_mutex_unlock(&m);
  return arg;
}

int main(void) {
  pthread_t t;
  while (__VERIFIER_nondet_int()) pthread_create(&t, NULL, work, NULL);
  return 0;
}
