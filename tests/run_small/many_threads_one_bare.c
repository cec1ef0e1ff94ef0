/* One thread of thirty takes no lock. */
#include "small.h"

Mutex m = MUTEX;
int counter;
static void *work(void *p) {
  int bare = RACY && (intptr_t)p == 29;
  if (!bare) lock(&m);
  counter++;
  if (!bare) unlock(&m);
  return 0;
}
int main(void) {
  pthread_t t[30];
  for (intptr_t i = 0; i < 30; i++) t[i] = start(work, (void *)i);
  for (int i = 0; i < 30; i++) finish(t[i]);
  return 0;
}
