// race: safe; deadlock: safe — two semaphores pass the data back and forth
#include <pthread.h>
#include <semaphore.h>

static int ball;
static sem_t ping, pong;

static void *other(void *arg) {
  for (int i = 0; i < 3; i++) {
    sem_wait(&ping);
    ball += 10;
    sem_post(&pong);
  }
  return arg;
}

int main(void) {
  pthread_t t;
  sem_init(&ping, 0, 0);
  sem_init(&pong, 0, 0);
  pthread_create(&t, NULL, other, NULL);
  for (int i = 0; i < 3; i++) {
    ball++;
    sem_post(&ping);
    sem_wait(&pong);
  }
  pthread_join(t, NULL);
  return ball - 33;
}
