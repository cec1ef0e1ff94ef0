// race: safe; deadlock: safe — only a successful trywait opens the way to the data
#include <pthread.h>
#include <semaphore.h>

static int value;
static sem_t sem;

static void *bump(void *arg) {
  if (sem_trywait(&sem) != 0) return NULL;
  value++;
  sem_post(&sem);
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
