/* race: safe assert: safe */
#include <assert.h>
#include <pthread.h>

void __VERIFIER_assume(int);
int __VERIFIER_nondet_int(void);
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

static int lock;
static void __VERIFIER_atomic_acquire(void) {
  __VERIFIER_assume(lock == 0);
  lock = 1;
}
static void __VERIFIER_atomic_release(void) {
  assert(lock == 1);
  lock = 0;
}

static int c;
static void *work(void *a) {
  __VERIFIER_atomic_acquire();
  c++;
  c--;
  assert(c == 0);
  __VERIFIER_atomic_release();
  return a;
}

int main(void) {
  pthread_t t;
  while (1) pthread_create(&t, NULL, work, NULL);
}
