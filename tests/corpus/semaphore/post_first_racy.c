// race: unsafe lines 10 19 — the signal is given before the data is written
#include <pthread.h>
#include <semaphore.h>

static int data;
static sem_t ready;

static void *giver(void *arg) {
  sem_post(&ready);
  data = 31;
  return arg;
}

int main(void) {
  pthread_t t;
  sem_init(&ready, 0, 0);
  pthread_create(&t, NULL, giver, NULL);
  sem_wait(&ready);
  int got = data;
  pthread_join(t, NULL);
  return got > 31;
}
