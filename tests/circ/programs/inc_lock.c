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

static unsigned value;
static void *work(void *a) {
  unsigned v;
  __VERIFIER_atomic_acquire();
  if (value == 0u - 1) {
    __VERIFIER_atomic_release();
    return NULL;
  }
  v = value;
  value = v + 1;
  __VERIFIER_atomic_release();
  assert(v + 1 > v);
  return a;
}

int main(void) {
  pthread_t t;
  while (1) pthread_create(&t, NULL, work, NULL);
}
