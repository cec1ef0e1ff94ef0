// race: safe — two threads, two constant indices
#include <pthread.h>

static int a[4];

static void *even(void *arg) {
  a[0] = 1;
  a[2] = a[0] + 1;
  return arg;
}

static void *odd(void *arg) {
  a[1] = 3;
  a[3] = a[1] + 1;
  return arg;
}

int main(void) {
  pthread_t x, y;
  pthread_create(&x, NULL, even, NULL);
  pthread_create(&y, NULL, odd, NULL);
  pthread_join(x, NULL);
  pthread_join(y, NULL);
  return a[0] + a[1] + a[2] + a[3] - 10;
}
