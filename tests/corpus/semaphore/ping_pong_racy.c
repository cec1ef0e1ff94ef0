// race: unsafe lines 11 21; deadlock: safe — the main thread does not wait for the ball to come back
#include <pthread.h>
#include <semaphore.h>

static int ball;
static sem_t ping;

static void *other(void *arg) {
  for (int i = 0; i < 3; i++) {
    sem_wait(&ping);
    ball += 10;
  }
  return arg;
}

int main(void) {
  pthread_t t;
  sem_init(&ping, 0, 0);
  pthread_create(&t, NULL, other, NULL);
  for (int i = 0; i < 3; i++) {
    ball++;
    sem_post(&ping);
  }
  pthread_join(t, NULL);
  return ball > 33;
}
