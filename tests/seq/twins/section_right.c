// All accesses inside of atomic sections.
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

static int total;

static void *work(void *arg) {
  __VERIFIER_atomic_begin();
  total = total + 1;
  __VERIFIER_atomic_end();
  return arg;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, work, NULL);
  __VERIFIER_atomic_begin();
  total = total + 2;
  __VERIFIER_atomic_end();
  return 0;
}
