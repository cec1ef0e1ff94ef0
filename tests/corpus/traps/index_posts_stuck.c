// deadlock: unsafe — with the other index the thread would go on, but nobody posts this one
#include <pthread.h>
#include <semaphore.h>

extern int __VERIFIER_nondet_int(void);

static sem_t ready[2];

static void *work(void *arg) {
  int i = __VERIFIER_nondet_int() & 1;
  sem_wait(&ready[i]);
  return arg;
}

int main(void) {
  pthread_t a;
  sem_init(&ready[0], 0, 0);
  sem_init(&ready[1], 0, 1);
  pthread_create(&a, NULL, work, NULL);
  pthread_join(a, NULL);
  return 0;
}
