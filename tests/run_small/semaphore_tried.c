/* That trywait fails is not looked at. */
#include "small.h"

sem_t s;
int value;
static void *work(void *a) {
  sem_wait(&s);
  value++;
  nap(20);
  value++;
  sem_post(&s);
  return a;
}
int main(void) {
  sem_init(&s, 0, 1);
  pthread_t t = start(work, NULL);
  nap(5);
  int code = sem_trywait(&s);
  if (RACY || code == 0) value++;
  if (code == 0) sem_post(&s);
  finish(t);
  return 0;
}
