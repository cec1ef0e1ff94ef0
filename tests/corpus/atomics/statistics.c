// race: safe — relaxed counters beside a flag that publishes
#include <pthread.h>
#include <stdatomic.h>
static atomic_int hits, misses, ready;
static int cfg;
void *thr(void *p) {
  (void)p;
  while (!atomic_load_explicit(&ready, memory_order_acquire)) {
  }
  if (cfg)
    atomic_fetch_add_explicit(&hits, 1, memory_order_relaxed);
  else
    atomic_fetch_add_explicit(&misses, 1, memory_order_relaxed);
  return 0;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, thr, 0);
  pthread_create(&b, 0, thr, 0);
  cfg = 4;
  atomic_store_explicit(&ready, 1, memory_order_release);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return atomic_load(&hits);
}
