/* assert: unsafe */
/* The third thread adds one too many. */
#include <assert.h>
#include <pthread.h>

int __VERIFIER_nondet_int(void);

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int s, n;

static void *work(void *argument) {
  (void)argument;
  pthread_mutex_lock(&m);
  if (n < 1000) {
    s = s + 2;
    n = n + 1;
    if (n == 3) s++;
  }
  assert(s == 2 * n);
  pthread_mutex_unlock(&m);
  return 0;
}

int main(void) {
  pthread_t t;
  while (__VERIFIER_nondet_int()) pthread_create(&t, 0, work, 0);
  return 0;
}
