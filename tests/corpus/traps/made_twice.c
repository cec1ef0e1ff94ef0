// race: safe — a semaphore is made again when nobody else has it
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
  pthread_join(t, NULL);
  sem_init(&s, 0, 2);
  return 0;
}
