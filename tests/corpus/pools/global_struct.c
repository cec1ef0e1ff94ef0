// race: safe; deadlock: safe — a global structure has the ids and their number
#include <pthread.h>
#include <stdlib.h>

static struct {
  int count;
  pthread_t *ids;
} pool;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int total;

static void *worker(void *argument) {
  pthread_mutex_lock(&lock);
  total++;
  pthread_mutex_unlock(&lock);
  return argument;
}

static void start(void) {
  for (int i = 0; i < pool.count; i++)
    if (pthread_create(&pool.ids[i], NULL, worker, NULL)) abort();
}

static void finish(void) {
  for (int i = 0; i < pool.count; i++) pthread_join(pool.ids[i], NULL);
}

int main(int argc, char **argv) {
  (void)argv;
  pool.count = argc;
  pool.ids = malloc((size_t)argc * sizeof *pool.ids);
  if (!pool.ids) return 1;
  start();
  finish();
  free(pool.ids);
  return total > 64;
}
