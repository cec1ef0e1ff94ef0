// race: safe — the writer takes all permits, a reader one
#include <pthread.h>
#include <semaphore.h>

static sem_t permits;
static int x;

static void *one(void *arg) {
  sem_wait(&permits);
  int seen = x;
  sem_post(&permits);
  return seen ? arg : NULL;
}

static void *two(void *arg) {
  for (int i = 0; i < 2; i++) sem_wait(&permits);
  x = 1;
  for (int i = 0; i < 2; i++) sem_post(&permits);
  return arg;
}

int main(void) {
  pthread_t a, b;
  sem_init(&permits, 0, 2);
  pthread_create(&a, NULL, one, NULL);
  pthread_create(&b, NULL, two, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
