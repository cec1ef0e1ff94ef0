// race: unsafe lines 7 14 — a semaphore is made anew while a thread waits
#include <pthread.h>
#include <semaphore.h>

static sem_t sem;
static void *work(void *arg) {
  sem_wait(&sem);
  return arg;
}

int main(void) {
  pthread_t a;
  sem_init(&sem, 0, 1); pthread_create(&a, NULL, work, NULL);
  sem_init(&sem, 0, 1);
  return 0;
}
