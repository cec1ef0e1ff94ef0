/* race: unsafe */
/* The reset is outside of any section: the state itself races, and with it what it keeps apart. */
/* explain x: no two of its accesses are ever next at the same time, if races on state do no harm */
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
    if (state == 0) state = 1;
    __VERIFIER_atomic_end();
    if (old == 0) {
      x++;
      state = 0;
    }
  }
  return arg;
}

int main(void) {
  pthread_t t;
  while (__VERIFIER_nondet_int()) pthread_create(&t, NULL, work, NULL);
  return 0;
}
