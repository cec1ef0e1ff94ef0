// race: safe — plain before creation and after the joins, atomic while the threads run
#include <pthread.h>

static long hits;

static void *count(void *arg) {
  __atomic_fetch_add(&hits, 1, __ATOMIC_RELAXED);
  return arg;
}

int main(void) {
  pthread_t a, b;
  hits = 10;
  pthread_create(&a, NULL, count, NULL);
  pthread_create(&b, NULL, count, NULL);
  long early = __atomic_load_n(&hits, __ATOMIC_RELAXED);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  hits++;
  return hits != 13 || early > 12;
}
