/* Independent reads of independent writes, and a plain variable. */
#include "small.h"

atomic_int x, y;
int extra;
static void *wx(void *p) {
  atomic_store(&x, 1);
  if (RACY) extra = 1;
  return p;
}
static void *wy(void *p) {
  atomic_store(&y, 1);
  return p;
}
static void *r1(void *p) {
  int a = atomic_load(&x), b = atomic_load(&y);
  if (RACY) extra += a + b;
  return p;
}
static void *r2(void *p) {
  int a = atomic_load(&y), b = atomic_load(&x);
  (void)a;
  (void)b;
  return p;
}
int main(void) {
  start(wx, 0);
  start(wy, 0);
  start(r1, 0);
  start(r2, 0);
  return 0;
}
