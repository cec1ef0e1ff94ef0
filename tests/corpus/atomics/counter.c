// race: safe — relaxed increments of an atomic counter conflict with nothing
#include <pthread.h>
#include <stdatomic.h>

static atomic_long hits;

static void *count(void *arg) {
  for (int i = 0; i < 4; i++) atomic_fetch_add_explicit(&hits, 1, memory_order_relaxed);
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, count, NULL);
  pthread_create(&b, NULL, count, NULL);
  long early = atomic_load_explicit(&hits, memory_order_relaxed);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return hits != 8 || early > 8;
}
