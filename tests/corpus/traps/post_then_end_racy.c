// race: unsafe lines 10 — main posts and ends; the threads may still be quick enough
#include <pthread.h>
#include <semaphore.h>

static sem_t ready;
static int data;

static void *worker(void *argument) {
  sem_wait(&ready);
  data++;
  return argument;
}

int main(void) {
  pthread_t a, b;
  sem_init(&ready, 0, 0);
  pthread_create(&a, NULL, worker, NULL);
  pthread_create(&b, NULL, worker, NULL);
  sem_post(&ready);
  sem_post(&ready);
  return 0;
}
