// race: unsafe lines 7 14 — a semaphore is destroyed while a thread posts
#include <pthread.h>
#include <semaphore.h>

static sem_t sem;
static void *work(void *arg) {
  sem_post(&sem);
  return arg;
}

int main(void) {
  pthread_t a;
  sem_init(&sem, 0, 0); pthread_create(&a, NULL, work, NULL);
  sem_destroy(&sem);
  return 0;
}
