/* An assertion fails while threads run. */
#include "small.h"

#include <assert.h>

Mutex m = MUTEX;
int x;
static void *a(void *p) {
  if (!RACY) lock(&m);
  x++;
  if (!RACY) unlock(&m);
  return p;
}
int main(void) {
  start(a, 0);
  start(a, 0);
  nap(5);
  if (!RACY) lock(&m);
  int v = x;
  if (!RACY) unlock(&m);
  assert(v > 1000);
  return 0;
}
