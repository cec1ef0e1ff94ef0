/* Two locks in opposite orders, forced into the circle: exec must say that the program is
   deadlocked. */
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static sem_t has_a, has_b;

static void *second(void *arg) {
  pthread_mutex_lock(&b);
  sem_post(&has_b);
  sem_wait(&has_a);
  pthread_mutex_lock(&a);
  return arg;
}

int main(void) {
  pthread_t t;
  sem_init(&has_a, 0, 0);
  sem_init(&has_b, 0, 0);
  pthread_create(&t, NULL, second, NULL);
  pthread_mutex_lock(&a);
  sem_post(&has_a);
  sem_wait(&has_b);
  pthread_mutex_lock(&b);
  printf("not reached\n");
  return 0;
}
