/* The semaphore lets two in where one was meant. */
#include "small.h"

sem_t s;
int inside;
static void *work(void *a) {
  sem_wait(&s);
  inside++;
  nap(5);
  inside--;
  sem_post(&s);
  return a;
}
int main(void) {
  sem_init(&s, 0, RACY ? 2 : 1);
  pthread_t t = start(work, NULL), u = start(work, NULL);
  finish(t);
  finish(u);
  return 0;
}
