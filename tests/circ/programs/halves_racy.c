/* race: unsafe */
/* The halves have an element in common. */
#include <pthread.h>

static int a[8];

static void *low(void *arg) {
  for (int i = 0; i < 4; i++) a[i] = 1;
  return arg;
}

static void *high(void *arg) {
  for (int i = 4; i < 8; i++) a[i - 1] = 2;
  return arg;
}

int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, low, 0);
  pthread_create(&u, 0, high, 0);
  return 0;
}
