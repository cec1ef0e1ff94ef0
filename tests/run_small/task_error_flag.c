/* The error is reached when a counter is off, and main returns at once. */
#include "small.h"

Mutex m = MUTEX;
int x;
void reach_error(void) {
  abort();
}
static void *t1(void *a) {
  for (int i = 0; i < 10; i++) {
    if (!RACY) lock(&m);
    x++;
    if (!RACY) unlock(&m);
  }
  return a;
}
int main(void) {
  start(t1, NULL);
  start(t1, NULL);
  if (!RACY) lock(&m);
  int seen = x;
  if (!RACY) unlock(&m);
  if (seen > 20) reach_error();
  return 0;
}
