/* It waits for the semaphore that it posts itself. */
#include "small.h"

sem_t full, empty;
int slot;
static void *work(void *a) {
  sem_wait(&empty);
  slot = 1;
  sem_post(&full);
  return a;
}
int main(void) {
  sem_init(&full, 0, RACY);
  sem_init(&empty, 0, 1);
  pthread_t t = start(work, NULL);
  sem_wait(&full);
  int seen = slot;
  finish(t);
  return seen > 1;
}
