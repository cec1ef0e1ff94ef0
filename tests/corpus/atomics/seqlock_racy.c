// race: unsafe lines 10 11 23 — a sequence lock around plain data: the reader notices too late
#include <pthread.h>
#include <stdatomic.h>

static atomic_uint version;
static int low, high;

static void *writer(void *arg) {
  atomic_fetch_add(&version, 1);
  low = 10;
  high = 20;
  atomic_fetch_add(&version, 1);
  return arg;
}

int main(void) {
  pthread_t t;
  unsigned before, after;
  int gap;
  pthread_create(&t, NULL, writer, NULL);
  do {
    before = atomic_load(&version);
    gap = high - low;
    after = atomic_load(&version);
  } while (before != after || before % 2);
  pthread_join(t, NULL);
  return gap != 0 && gap != 10;
}
