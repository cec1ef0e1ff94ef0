// One access inside of an atomic section, the other outside.
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
  total = total + 2;
  return 0;
}
