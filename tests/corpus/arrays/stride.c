// race: safe — thread k of two takes the elements k, k + 2, k + 4 …
#include <pthread.h>

#define N 8
static int a[N];

static void *fill(void *arg) {
  for (long i = (long)arg; i < N; i += 2) a[i] = 1;
  return NULL;
}

int main(void) {
  pthread_t x, y;
  pthread_create(&x, NULL, fill, (void *)0L);
  pthread_create(&y, NULL, fill, (void *)1L);
  pthread_join(x, NULL);
  pthread_join(y, NULL);
  int sum = 0;
  for (int i = 0; i < N; i++) sum += a[i];
  return sum - N;
}
