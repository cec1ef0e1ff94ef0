// deadlock: unsafe — each thread waits for the permit that only the other one gives
#include <pthread.h>
#include <semaphore.h>

static sem_t a, b;

static void *one(void *arg) {
  sem_wait(&a);
  sem_post(&b);
  return arg;
}

static void *two(void *arg) {
  sem_wait(&b);
  sem_post(&a);
  return arg;
}

int main(void) {
  pthread_t t, u;
  sem_init(&a, 0, 0);
  sem_init(&b, 0, 0);
  pthread_create(&t, NULL, one, NULL);
  pthread_create(&u, NULL, two, NULL);
  pthread_join(t, NULL);
  pthread_join(u, NULL);
  return 0;
}
