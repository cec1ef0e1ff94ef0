// race: unsafe lines 7 21 — only one of two threads is joined before the main thread reads
#include <pthread.h>

static int x, y;

static void *set_x(void *arg) {
  x = 1;
  return arg;
}

static void *set_y(void *arg) {
  y = 2;
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, set_x, NULL);
  pthread_create(&b, NULL, set_y, NULL);
  pthread_join(b, NULL);
  int seen = x + y;
  pthread_join(a, NULL);
  return seen > 3;
}
