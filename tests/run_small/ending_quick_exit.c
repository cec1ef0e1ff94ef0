/* quick_exit right after the creation. */
#include "small.h"

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
  if (!RACY) lock(&m);
  x++;
  if (!RACY) unlock(&m);
  quick_exit(0);
}
