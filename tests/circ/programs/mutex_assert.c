/* assert: safe */
/* An assertion about what a mutex guards, with any number of threads. */
#include <assert.h>
#include <pthread.h>

int __VERIFIER_nondet_int(void);

static int x;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *arg) {
  pthread_mutex_lock(&m);
  x = 1;
  assert(x == 1);
  x = 0;
  pthread_mutex_unlock(&m);
  return arg;
}

int main(void) {
  pthread_t t;
  while (__VERIFIER_nondet_int()) pthread_create(&t, NULL, work, NULL);
  return 0;
}
