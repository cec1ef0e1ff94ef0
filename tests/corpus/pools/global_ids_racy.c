// race: unsafe lines 12 37; deadlock: safe — one more thread was started than is joined
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static pthread_t *ids;
static int count, done;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *worker(void *argument) {
  pthread_mutex_lock(&lock);
  done++;
  pthread_mutex_unlock(&lock);
  return argument;
}

static void start(int n) {
  count = n;
  ids = malloc((size_t)n * sizeof *ids);
  if (!ids)
    exit(1);
  for (int i = 0; i < count; i++)
    if (pthread_create(&ids[i], NULL, worker, NULL))
      exit(1);
}

static void finish(void) {
  for (int i = 1; i < count; i++)
    pthread_join(ids[i], NULL);
  free(ids);
}

int main(int argc, char **argv) {
  (void)argv;
  start(argc + 2);
  finish();
  printf("%d\n", done);
  return 0;
}
