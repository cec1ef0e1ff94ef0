// race: unsafe lines 8 — thread k starts at k, but both step by one
#include <pthread.h>

#define N 8
static int a[N];

static void *fill(void *arg) {
  for (long i = (long)arg; i < N; i++) a[i] = 1;
  return NULL;
}

int main(void) {
  pthread_t x, y;
  pthread_create(&x, NULL, fill, (void *)0L);
  pthread_create(&y, NULL, fill, (void *)1L);
  pthread_join(x, NULL);
  pthread_join(y, NULL);
  return a[0] - 1;
}
