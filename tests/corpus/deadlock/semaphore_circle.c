// deadlock: safe — one permit at the start sets the circle going
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
  sem_init(&a, 0, 1);
  sem_init(&b, 0, 0);
  pthread_create(&t, NULL, one, NULL);
  pthread_create(&u, NULL, two, NULL);
  pthread_join(t, NULL);
  pthread_join(u, NULL);
  return 0;
}
