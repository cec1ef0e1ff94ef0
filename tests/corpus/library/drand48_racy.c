// race: unsafe lines 6 — drand48 has a hidden state and no lock
#include <pthread.h>
#include <stdlib.h>

static void *roll(void *arg) {
  *(double *)arg = drand48();
  return NULL;
}

int main(void) {
  pthread_t a, b;
  double x, y;
  pthread_create(&a, NULL, roll, &x);
  pthread_create(&b, NULL, roll, &y);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return x + y > 2;
}
