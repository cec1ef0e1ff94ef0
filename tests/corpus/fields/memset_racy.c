// race: unsafe lines 13 18 — clearing the whole structure races with each of its fields
#include <pthread.h>
#include <string.h>

struct Stats {
  long hits;
  long misses;
};

static struct Stats stats;

static void *count(void *arg) {
  stats.misses++;
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
  return stats.misses > 1;
}
