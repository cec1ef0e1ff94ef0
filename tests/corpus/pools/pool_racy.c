// race: unsafe lines 19 47; deadlock: safe — the pool counts what is done before all are joined
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct {
  pthread_t *ids;
  int size, stop, done;
  pthread_mutex_t lock;
  pthread_cond_t changed;
} Pool;

static void *worker(void *argument) {
  Pool *pool = argument;
  pthread_mutex_lock(&pool->lock);
  while (!pool->stop)
    pthread_cond_wait(&pool->changed, &pool->lock);

  pool->done++;
  pthread_mutex_unlock(&pool->lock);
  return NULL;
}

static Pool *pool_new(int size) {
  Pool *pool = malloc(sizeof *pool);
  if (!pool)
    exit(1);
  pool->size = size;
  pool->stop = pool->done = 0;
  pool->ids = malloc((size_t)size * sizeof *pool->ids);
  if (!pool->ids)
    exit(1);
  pthread_mutex_init(&pool->lock, NULL);
  pthread_cond_init(&pool->changed, NULL);
  for (int i = 0; i < size; i++)
    if (pthread_create(&pool->ids[i], NULL, worker, pool))
      exit(1);
  return pool;
}

static int pool_end(Pool *pool) {
  pthread_mutex_lock(&pool->lock);
  pool->stop = 1;
  pthread_cond_broadcast(&pool->changed);
  pthread_mutex_unlock(&pool->lock);
  int done = 0;
  for (int i = 0; i < pool->size; i++, done = pool->done)
    pthread_join(pool->ids[i], NULL);
  pthread_mutex_destroy(&pool->lock);
  pthread_cond_destroy(&pool->changed);
  free(pool->ids);
  free(pool);
  return done;
}

int main(int argc, char **argv) {
  Pool *pool = pool_new(argc > 1 ? atoi(argv[1]) : 3);
  printf("%d\n", pool_end(pool));
  return 0;
}
