/* race: unsafe */
/* The flag is set whether there was a permit or not. */
#include <pthread.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
int __VERIFIER_nondet_int(void);

static int permits = 1, data;

static void down(void) {
  int got = 0;
  while (!got) {
    __VERIFIER_atomic_begin();
    if (permits > 0) permits--;
    got = 1;
    __VERIFIER_atomic_end();
  }
}

static void up(void) {
  __VERIFIER_atomic_begin();
  permits++;
  __VERIFIER_atomic_end();
}

static void *work(void *arg) {
  down();
  data++;
  up();
  return arg;
}

int main(void) {
  pthread_t t;
  while (__VERIFIER_nondet_int()) pthread_create(&t, NULL, work, NULL);
  return 0;
}
