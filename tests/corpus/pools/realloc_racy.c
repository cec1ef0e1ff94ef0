// race: unsafe lines 9 19 — the array of ids has moved, and the last one is left out
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

int main(int count, char **argv) {
  pthread_t *ids = calloc(count, sizeof *ids);
  for (int i = 0; i < count; i++) pthread_create(&ids[i], NULL, worker, argv);
  pthread_t *more = realloc(ids, 2 * count * sizeof *ids);
  for (int i = 0; i < count - 1; i++) pthread_join(more[i], NULL);
  return total;
}
