// race: unsafe lines 12 17 — memset over a structure writes its atomic member plainly
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

static struct {
  atomic_int hits;
  int unused;
} stats;

static void *count(void *arg) {
  atomic_fetch_add(&stats.hits, 1);
  return arg;
}

static void *reset(void *arg) {
  memset(&stats, 0, sizeof stats);
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, count, NULL);
  pthread_create(&b, NULL, reset, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return stats.hits > 1;
}
