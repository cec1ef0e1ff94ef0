// race: unsafe lines 10 — an extra post makes a second permit
#include <pthread.h>
#include <semaphore.h>

static int value;
static sem_t sem;

static void *bump(void *arg) {
  sem_wait(&sem);
  value++;
  sem_post(&sem);
  return arg;
}

int main(void) {
  pthread_t a, b;
  sem_init(&sem, 0, 1);
  pthread_create(&a, NULL, bump, NULL);
  pthread_create(&b, NULL, bump, NULL);
  sem_post(&sem);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return value > 2;
}
