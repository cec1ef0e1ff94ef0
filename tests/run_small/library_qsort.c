/* qsort beside a write. */
#include "small.h"

Mutex m = MUTEX;
int a[16];
static int cmp(const void *x, const void *y) {
  return *(const int *)x - *(const int *)y;
}
static void *s(void *p) {
  if (!RACY) lock(&m);
  qsort(a, 16, 4, cmp);
  if (!RACY) unlock(&m);
  return p;
}
static void *w(void *p) {
  if (!RACY) lock(&m);
  a[15] = 1;
  if (!RACY) unlock(&m);
  return p;
}
int main(void) {
  for (int i = 0; i < 16; i++) a[i] = 16 - i;
  pthread_t t = start(s, 0), u = start(w, 0);
  finish(t);
  finish(u);
  return 0;
}
