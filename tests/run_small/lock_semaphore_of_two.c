/* A semaphore lets two in. */
#include "small.h"

sem_t s;
int x;
static void *a(void *p) {
  sem_wait(&s);
  x++;
  sem_post(&s);
  return p;
}
int main(void) {
  sem_init(&s, 0, 1 + RACY);
  pthread_t t = start(a, 0), u = start(a, 0);
  finish(t);
  finish(u);
  return 0;
}
