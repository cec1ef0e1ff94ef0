// race: unsafe lines 11 23 — the last thread is not joined, and then the ids are freed
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int total;

static void *worker(void *argument) {
  pthread_mutex_lock(&lock);
  for (int i = 0; i < 2; i++)
    total += i;
  pthread_mutex_unlock(&lock);
  return argument;
}

int main(int argc, char **argv) {
  pthread_t *ids = malloc((unsigned)argc * sizeof *ids);
  for (int i = 0; i < argc; i++)
    pthread_create(&ids[i], 0, worker, argv);
  for (int i = 0; i < argc - 1; i++)
    pthread_join(ids[i], 0);
  free(ids);
  return total;
}
