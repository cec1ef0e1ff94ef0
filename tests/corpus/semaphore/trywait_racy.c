// race: unsafe lines 10 — the result of trywait is ignored
#include <pthread.h>
#include <semaphore.h>

static int value;
static sem_t sem;

static void *bump(void *arg) {
  int failed = sem_trywait(&sem);
  value++;
  if (!failed) sem_post(&sem);
  return arg;
}

int main(void) {
  pthread_t a, b;
  sem_init(&sem, 0, 1);
  pthread_create(&a, NULL, bump, NULL);
  pthread_create(&b, NULL, bump, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return value > 2;
}
