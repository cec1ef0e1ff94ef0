// race: unsafe lines 9 19; deadlock: safe — the semaphore already has a permit when the giver starts
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
  sem_init(&ready, 0, 1);
  pthread_create(&t, NULL, giver, NULL);
  sem_wait(&ready);
  int got = data;
  pthread_join(t, NULL);
  return got > 31;
}
