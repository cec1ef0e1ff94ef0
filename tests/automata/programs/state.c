/* A state variable keeps threads apart: figure 1 of "Race checking by context inference", in C. */
#include <pthread.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
int __VERIFIER_nondet_int(void);

typedef struct {
  int old, rounds;
} Own;

static int x, state;

static int take(Own *own) {
  __VERIFIER_atomic_begin();
  own->old = state;
  if (state == 0) state = 1;
  __VERIFIER_atomic_end();
  return own->old == 0;
}

static void *work(void *arg) {
  Own own = {0, 0};
  while (__VERIFIER_nondet_int()) {
    if (take(&own)) {
      x++;
      state = 0;
    }
    own.rounds++;
  }
  return arg;
}

int main(void) {
  pthread_t t;
  while (__VERIFIER_nondet_int()) pthread_create(&t, NULL, work, NULL);
  return 0;
}
