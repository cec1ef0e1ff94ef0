// race: safe — an atomic counter deals each index to exactly one thread
#include <pthread.h>
#include <stdatomic.h>

#define N 6
static int a[N];
static atomic_int next;

static void *fill(void *arg) {
  int i;
  while ((i = atomic_fetch_add(&next, 1)) < N) a[i] += i;
  return arg;
}

int main(void) {
  pthread_t x, y;
  pthread_create(&x, NULL, fill, NULL);
  pthread_create(&y, NULL, fill, NULL);
  pthread_join(x, NULL);
  pthread_join(y, NULL);
  return a[5] - 5;
}
