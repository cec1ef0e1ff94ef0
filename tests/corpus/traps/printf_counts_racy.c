// race: unsafe lines 15 — printf stores by way of %n, and what is guarded by that value races
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int printed, data;

static void *worker(void *argument) {
  int seen;
  pthread_mutex_lock(&lock);
  seen = printed;
  pthread_mutex_unlock(&lock);
  if (!seen)
    return argument;
  data++;
  return argument;
}

int main(void) {
  pthread_t threads[2];
  printf("ab%n\n", &printed);
  for (int i = 0; i < 2; i++)
    pthread_create(&threads[i], 0, worker, 0);
  for (int i = 0; i < 2; i++)
    pthread_join(threads[i], 0);
  return data == 3;
}
