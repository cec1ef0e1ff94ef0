// race: unsafe lines 10 — any number of threads increment a counter without a lock
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);

static int counter;

static void *work(void *arg) {
  (void)arg;
  counter++;
  return NULL;
}

int main(void) {
  while (__VERIFIER_nondet_int()) {
    pthread_t id;
    pthread_create(&id, NULL, work, NULL);
  }
  return 0;
}
