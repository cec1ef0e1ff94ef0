/* Readers of a sequence lock read plain data. */
#include "small.h"

atomic_uint version;
int plain;
atomic_int value;
static void *work(void *a) {
  for (int i = 1; i < 20; i++) {
    atomic_fetch_add(&version, 1);
    if (RACY)
      plain = i;
    else
      atomic_store_explicit(&value, i, memory_order_relaxed);
    atomic_fetch_add(&version, 1);
  }
  return a;
}
int main(void) {
  unsigned before, after;
  int seen;
  pthread_t t = start(work, NULL);
  do {
    before = atomic_load(&version);
    seen = RACY ? plain : atomic_load_explicit(&value, memory_order_relaxed);
    after = atomic_load(&version);
  } while (before != after || before % 2);
  finish(t);
  return seen < 0;
}
