// assert: safe; race: safe — the test and the use under one lock
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
extern void __VERIFIER_assert(int);

static int divisor = 1;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *set(void *arg) {
  int n = __VERIFIER_nondet_int();
  __VERIFIER_assume(n >= 0 && n < 3);
  pthread_mutex_lock(&lock);
  divisor = n;
  pthread_mutex_unlock(&lock);
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, set, NULL);
  pthread_mutex_lock(&lock);
  int usable = divisor != 0;
  if (usable) __VERIFIER_assert(divisor != 0);
  pthread_mutex_unlock(&lock);
  pthread_join(t, NULL);
  return 0;
}
