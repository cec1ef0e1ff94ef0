// race: safe — rand_r with a seed for each thread
#include <pthread.h>
#include <stdlib.h>

static void *roll(void *arg) {
  unsigned *seed = arg;
  *seed = (unsigned)rand_r(seed) % 6 + 1;
  return NULL;
}

int main(void) {
  pthread_t a, b;
  unsigned x = 1, y = 2;
  pthread_create(&a, NULL, roll, &x);
  pthread_create(&b, NULL, roll, &y);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return x + y > 12;
}
