// race: safe — the only thread that uses drand48 is joined before the main thread does
#include <pthread.h>
#include <stdlib.h>

static void *roll(void *arg) {
  *(double *)arg = drand48();
  return NULL;
}

int main(void) {
  pthread_t a;
  double x, y;
  srand48(3);
  pthread_create(&a, NULL, roll, &x);
  pthread_join(a, NULL);
  y = drand48();
  return x + y > 2;
}
