// deadlock: unsafe — three waits, two posts
#include <pthread.h>
#include <semaphore.h>

static sem_t sem;

static void *giver(void *arg) {
  sem_post(&sem);
  return arg;
}

int main(void) {
  pthread_t t, u;
  sem_init(&sem, 0, 0);
  pthread_create(&t, NULL, giver, NULL);
  pthread_create(&u, NULL, giver, NULL);
  for (int i = 0; i < 3; i++) sem_wait(&sem);
  pthread_join(t, NULL);
  pthread_join(u, NULL);
  return 0;
}
