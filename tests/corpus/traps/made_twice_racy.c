// race: unsafe lines 8 16 — two threads make the same semaphore
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>

static sem_t s;
static void *work(void *arg) {
  sem_init(&s, 0, 1);
  return arg;
}

int main(void) {
  pthread_t t;
  if (pthread_create(&t, NULL, work, NULL)) abort();

  sem_init(&s, 0, 2);
  pthread_join(t, NULL);
  return 0;
}
