/* race: safe assert: safe */
/* Two counters are equal whenever the lock is free. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

void __VERIFIER_assume(int);
int __VERIFIER_nondet_int(void);
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int x, y;

static void *work(void *arg) {
  pthread_mutex_lock(&m);
  assert(x == y);
  x++;
  y++;
  pthread_mutex_unlock(&m);
  return arg;
}

int main(void) {
  pthread_t t;
  while (__VERIFIER_nondet_int()) pthread_create(&t, NULL, work, NULL);
  return 0;
}
