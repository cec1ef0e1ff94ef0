// race: unsafe lines 11 27; deadlock: safe — the last of the threads is not joined
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static long total;

static void *worker(void *argument) {
  pthread_mutex_lock(&lock);
  total += (long)argument;
  pthread_mutex_unlock(&lock);
  return NULL;
}

int main(int argc, char **argv) {
  int count = argc > 1 ? atoi(argv[1]) : 4;
  pthread_t *ids = malloc((size_t)count * sizeof *ids);
  if (!ids)
    return 1;
  for (int i = 0; i < count; i++)
    if (pthread_create(&ids[i], NULL, worker, (void *)(long)i))
      abort();
  for (int i = 0; i < count - 1; i++)
    pthread_join(ids[i], NULL);
  free(ids);
  printf("%ld\n", total);
  return 0;
}
