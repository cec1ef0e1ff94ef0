// race: safe; deadlock: safe — a semaphore without permits tells that the data is there
#include <pthread.h>
#include <semaphore.h>

static int data;
static sem_t ready;

static void *giver(void *arg) {
  data = 31;
  sem_post(&ready);
  return arg;
}

int main(void) {
  pthread_t t;
  sem_init(&ready, 0, 0);
  pthread_create(&t, NULL, giver, NULL);
  sem_wait(&ready);
  int got = data;
  pthread_join(t, NULL);
  return got - 31;
}
