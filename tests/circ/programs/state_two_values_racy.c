/* race: unsafe */
/* Two values let a thread in. */
#include <pthread.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
int __VERIFIER_nondet_int(void);

static int x, state;

static void *work(void *arg) {
  int old;
  while (__VERIFIER_nondet_int()) {
    __VERIFIER_atomic_begin();
    old = state;
    if (state < 2) state++;
    __VERIFIER_atomic_end();
    if (old < 2) {
      x++;
      __VERIFIER_atomic_begin();
      state = 0;
      __VERIFIER_atomic_end();
    }
  }
  return arg;
}

int main(void) {
  pthread_t t;
  while (__VERIFIER_nondet_int()) pthread_create(&t, NULL, work, NULL);
  return 0;
}
