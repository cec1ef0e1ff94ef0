/* A named semaphore is opened with one token too many. */
#include "small.h"

int value;
static void *work(void *a) {
  sem_t *s = a;
  sem_wait(s);
  value++;
  sem_post(s);
  return NULL;
}
int main(void) {
  char name[64];
  snprintf(name, sizeof name, "/small-%d", (int)getpid());
  sem_t *s = sem_open(name, O_CREAT, 0600, RACY ? 2 : 1);
  if (s == SEM_FAILED) return 1;
  sem_unlink(name);
  pthread_t t = start(work, s), u = start(work, s);
  finish(t);
  finish(u);
  return 0;
}
