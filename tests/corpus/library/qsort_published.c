// race: safe — what qsort has sorted is published by a flag
#include <pthread.h>
#include <stdlib.h>
#include <stdatomic.h>
static int a[8];
static atomic_int done;
static int cmp(const void *x, const void *y) {
  return *(const int *)x - *(const int *)y;
}
void *thr(void *p) {
  (void)p;
  qsort(a, 8, sizeof(int), cmp);
  atomic_store(&done, 1);
  return 0;
}
int main(void) {
  pthread_t s;
  for (int i = 0; i < 8; i++) a[i] = 8 - i;
  pthread_create(&s, 0, thr, 0);
  while (!atomic_load(&done)) {
  }
  return a[0];
}
