/* assert: safe */
/* It only goes up, so it never is -1: not because it is not -2 before, nor -3, but because it is never negative. */
/* predicates: level == -1, level[31..31] */
#include <assert.h>
#include <pthread.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
int __VERIFIER_nondet_int(void);

static int level;

static void *work(void *arg) {
  __VERIFIER_atomic_begin();
  if (level < 1000) level++;
  __VERIFIER_atomic_end();
  __VERIFIER_atomic_begin();
  assert(level != -1);
  __VERIFIER_atomic_end();
  return arg;
}

int main(void) {
  pthread_t t;
  while (__VERIFIER_nondet_int()) pthread_create(&t, NULL, work, NULL);
  return 0;
}
