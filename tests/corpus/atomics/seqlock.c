// race: safe — a sequence lock whose data is atomic as well
#include <pthread.h>
#include <stdatomic.h>

static atomic_uint version;
static atomic_int low, high;

static void *writer(void *arg) {
  atomic_fetch_add(&version, 1);
  atomic_store(&low, 10);
  atomic_store(&high, 20);
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
    gap = atomic_load(&high) - atomic_load(&low);
    after = atomic_load(&version);
  } while (before != after || before % 2);
  pthread_join(t, NULL);
  return gap != 0 && gap != 10;
}
