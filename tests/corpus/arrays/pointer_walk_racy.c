// race: unsafe lines 8 13 — the two pointers meet in the middle element
#include <pthread.h>

#define N 6
static int a[N];

static void *up(void *arg) {
  for (int *p = a; p <= a + N / 2; p++) *p = 1;
  return arg;
}

static void *down(void *arg) {
  for (int *p = a + N; p > a + N / 2;) *--p = 2;
  return arg;
}

int main(void) {
  pthread_t x, y;
  pthread_create(&x, NULL, up, NULL);
  pthread_create(&y, NULL, down, NULL);
  pthread_join(x, NULL);
  pthread_join(y, NULL);
  return a[2] + a[4] - 3;
}
