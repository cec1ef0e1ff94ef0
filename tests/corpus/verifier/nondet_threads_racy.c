// race: unsafe lines 9 — with at least two threads the counter is lost
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);

static int value;

static void *work(void *arg) {
  value++;
  return arg;
}

int main(void) {
  int n = __VERIFIER_nondet_int() % 10;
  for (int i = 0; i < n; i++) {
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    pthread_detach(t);
  }
  return 0;
}
