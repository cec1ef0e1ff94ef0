/* A structure is copied while one of its members changes. */
#include "small.h"

typedef struct {
  int a, b, c;
} Triple;
Triple here, there;
Mutex m = MUTEX;
static void *work(void *a) {
  if (!RACY) lock(&m);
  here.c = 3;
  if (!RACY) unlock(&m);
  return a;
}
int main(void) {
  pthread_t t = start(work, NULL);
  if (!RACY) lock(&m);
  there = here;
  if (!RACY) unlock(&m);
  finish(t);
  return there.a;
}
