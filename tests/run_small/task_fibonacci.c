/* Two sums that grow from each other. */
#include "small.h"

Mutex m = MUTEX;
int i = 1, j = 1;
static void *t1(void *p) {
  for (int k = 0; k < 5; k++) {
    if (!RACY) lock(&m);
    i += j;
    if (!RACY) unlock(&m);
  }
  return p;
}
static void *t2(void *p) {
  for (int k = 0; k < 5; k++) {
    if (!RACY) lock(&m);
    j += i;
    if (!RACY) unlock(&m);
  }
  return p;
}
int main(void) {
  start(t1, 0);
  start(t2, 0);
  if (!RACY) lock(&m);
  int c = i > 377;
  if (!RACY) unlock(&m);
  return c;
}
