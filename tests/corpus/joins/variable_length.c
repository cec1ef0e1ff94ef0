// race: safe; deadlock: safe — ids in an array of variable length, all of them joined before the last read
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

int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 3;
  if (n < 1 || n > 100)
    return 1;
  pthread_t threads[n];
  for (int i = 0; i < n; i++)
    if (pthread_create(&threads[i], 0, worker, 0))
      abort();
  for (int i = 0; i < n; i++)
    pthread_join(threads[i], 0);
  return total != n;
}
