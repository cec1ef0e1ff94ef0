// race: unsafe lines 7 12 — one thread uses the builtin, the other a plain increment
#include <pthread.h>

static long hits;

static void *atomically(void *arg) {
  __atomic_fetch_add(&hits, 1, __ATOMIC_SEQ_CST);
  return arg;
}

static void *plainly(void *arg) {
  hits++;
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, atomically, NULL);
  pthread_create(&b, NULL, plainly, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return hits > 2;
}
