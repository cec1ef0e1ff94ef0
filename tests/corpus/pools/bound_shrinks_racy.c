// race: unsafe lines 9 19 — the bound is another one when the threads are joined
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
  pthread_t *ids = calloc(count + 2, sizeof *ids);
  for (int i = 0; i < count; i++) pthread_create(&ids[i], NULL, worker, argv);
  count--;
  for (int i = 0; i < count; i++) pthread_join(ids[i], NULL);
  return total;
}
