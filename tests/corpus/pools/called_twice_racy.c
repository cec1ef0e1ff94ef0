// race: unsafe lines 9 24 — two arrays of ids from one place, of which one is joined
#include <pthread.h>
#include <stdlib.h>
static int total;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *worker(void *argument) {
  pthread_mutex_lock(&lock);
  total++;
  pthread_mutex_unlock(&lock);
  return argument;
}
static pthread_t *start(int count) {
  pthread_t *ids = calloc(count + 2, sizeof *ids);
  for (int i = 0; i < count; i++) pthread_create(&ids[i], NULL, worker, NULL);
  return ids;
}

int main(int count, char **argv) {
  (void)argv;
  start(count);
  pthread_t *ids = start(count);
  for (int i = 0; i < count; i++) pthread_join(ids[i], NULL);
  return total;
}
