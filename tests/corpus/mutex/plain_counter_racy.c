// race: unsafe lines 8 — two threads add to a counter that nothing guards
#include <pthread.h>

static long hits;

static void *count(void *arg) {
  (void)arg;
  hits = hits + 1;
  return NULL;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, count, NULL);
  pthread_create(&b, NULL, count, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return hits != 2;
}
