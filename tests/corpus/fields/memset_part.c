// race: safe — only the fields before the counter are cleared
#include <pthread.h>
#include <stddef.h>
#include <string.h>

struct Stats {
  long hits;
  long misses;
  long total;
};

static struct Stats stats;

static void *count(void *arg) {
  stats.total++;
  return arg;
}

static void *reset(void *arg) {
  memset(&stats, 0, offsetof(struct Stats, total));
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, count, NULL);
  pthread_create(&b, NULL, reset, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return stats.total - 1;
}
