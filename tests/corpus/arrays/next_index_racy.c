// race: unsafe lines 14 — load and store of the counter are separate, so an index is dealt twice
#include <pthread.h>
#include <stdatomic.h>

#define N 6
static int a[N];
static atomic_int next;

static void *fill(void *arg) {
  for (;;) {
    int i = atomic_load(&next);
    if (i >= N) return arg;
    atomic_store(&next, i + 1);
    a[i] += i;
  }
}

int main(void) {
  pthread_t x, y;
  pthread_create(&x, NULL, fill, NULL);
  pthread_create(&y, NULL, fill, NULL);
  pthread_join(x, NULL);
  pthread_join(y, NULL);
  return a[5] > 10;
}
