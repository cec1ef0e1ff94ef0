/* bad: both sort one array. */
#include <pthread.h>
#include <stdlib.h>
int a[3] = { 3, 1, 2 }, b[3] = { 6, 5, 4 };
static int cmp(const void *x, const void *y) { return *(const int *)x - *(const int *)y; }
static void *w(void *p) { qsort(p, 3, sizeof(int), cmp); return 0; }
int main(void) {
  pthread_t s, t;
  pthread_create(&s, 0, w, a);
  pthread_create(&t, 0, w, a);
  pthread_join(s, 0); pthread_join(t, 0);
  return a[0];
}
