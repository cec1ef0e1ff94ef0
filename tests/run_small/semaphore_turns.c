/* Two threads take turns by two semaphores; one of them writes out of turn. */
#include "small.h"

sem_t mine, yours;
int ball;
static void *work(void *a) {
  for (int i = 0; i < 3; i++) {
    sem_wait(&yours);
    ball++;
    sem_post(&mine);
    if (RACY && i == 1) ball++;
  }
  return a;
}
int main(void) {
  sem_init(&mine, 0, 0);
  sem_init(&yours, 0, 1);
  pthread_t t = start(work, NULL);
  for (int i = 0; i < 3; i++) {
    sem_wait(&mine);
    ball++;
    sem_post(&yours);
  }
  finish(t);
  return 0;
}
