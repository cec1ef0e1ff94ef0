// race: safe; deadlock: safe — one thread takes the permit, another gives it back
#include <pthread.h>
#include <semaphore.h>

static int value;
static sem_t sem;

static void *finish(void *arg) {
  value++;
  sem_post(&sem);
  return arg;
}

int main(void) {
  pthread_t a, b;
  sem_init(&sem, 0, 1);
  sem_wait(&sem);
  value = 1;
  pthread_create(&a, NULL, finish, NULL);
  sem_wait(&sem);
  value++;
  pthread_create(&b, NULL, finish, NULL);
  sem_wait(&sem);
  value++;
  sem_post(&sem);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return value - 5;
}
