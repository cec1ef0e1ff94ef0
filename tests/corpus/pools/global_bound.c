// race: safe; deadlock: safe — the number of threads is global
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_t ids[64];
static int count, total;

static void *worker(void *argument) {
  pthread_mutex_lock(&lock);
  total++;
  pthread_mutex_unlock(&lock);
  return argument;
}

int main(int argc, char **argv) {
  count = argc > 1 ? atoi(argv[1]) : 4;
  if (count > 64) return 1;
  for (int i = 0; i < count; i++)
    if (pthread_create(&ids[i], NULL, worker, NULL)) abort();
  for (int i = 0; i < count; i++) pthread_join(ids[i], NULL);
  return total > 64;
}
