/* A destructor of the program. */
#include "small.h"

Mutex m = MUTEX;
int x;
__attribute__((destructor)) static void at_end(void) {
  if (!RACY) lock(&m);
  x = 2;
  if (!RACY) unlock(&m);
}
static void *a(void *p) {
  if (!RACY) lock(&m);
  x = 1;
  if (!RACY) unlock(&m);
  return p;
}
int main(void) {
  start(a, 0);
  return 0;
}
