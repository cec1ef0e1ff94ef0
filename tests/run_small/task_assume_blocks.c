/* A thread whose assumption fails ends itself. */
#include "small.h"

Mutex m = MUTEX;
int flag, data;
static void assume(int c) {
  if (!c) pthread_exit(0);
}
static void *consumer(void *p) {
  if (!RACY) lock(&m);
  int f = flag;
  if (!RACY) unlock(&m);
  assume(f);
  if (!RACY) lock(&m);
  data++;
  if (!RACY) unlock(&m);
  return p;
}
static void *producer(void *p) {
  if (!RACY) lock(&m);
  data = 5;
  flag = 1;
  if (!RACY) unlock(&m);
  return p;
}
int main(void) {
  pthread_t c = start(consumer, 0), q = start(producer, 0);
  finish(c);
  finish(q);
  return 0;
}
