// race: unsafe lines 8 14 — one of the constant indices is used by both
#include <pthread.h>

static int a[4];

static void *even(void *arg) {
  a[0] = 1;
  a[2] = 2;
  return arg;
}

static void *odd(void *arg) {
  a[1] = 3;
  a[3] = a[2];
  return arg;
}

int main(void) {
  pthread_t x, y;
  pthread_create(&x, NULL, even, NULL);
  pthread_create(&y, NULL, odd, NULL);
  pthread_join(x, NULL);
  pthread_join(y, NULL);
  return a[3] > 2;
}
