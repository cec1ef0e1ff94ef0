/* race: unknown */
/* What lies behind an object may be another one: no run shows it, but it is not safe. */
#include <pthread.h>

static int a, b;
static int x;

static void *writer(void *arg) {
  x = 2;
  return arg;
}

int main(void) {
  pthread_t t;
  int *p = &a, *q = &b;
  if (pthread_create(&t, 0, writer, 0)) return 1;
  if (p + 1 == q) x = 1;
  pthread_join(t, 0);
  return 0;
}
