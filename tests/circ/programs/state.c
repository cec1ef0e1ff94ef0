/* race: safe */
/* The value of a state variable keeps threads apart, any number of them. */
/* steps: old == 0, state == 0 */
/* explain x: work is at line 21 while state = not 0 */
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
