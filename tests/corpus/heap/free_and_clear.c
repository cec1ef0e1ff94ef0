// race: safe — free and the reset of the pointer happen under the lock that readers take
#include <pthread.h>
#include <stdlib.h>

static int *current;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *reader(void *arg) {
  pthread_mutex_lock(&lock);
  if (current) *(int *)arg = *current;
  pthread_mutex_unlock(&lock);
  return NULL;
}

int main(void) {
  pthread_t t;
  int seen = 4;
  current = malloc(sizeof *current);
  if (!current) return 1;
  *current = 4;
  pthread_create(&t, NULL, reader, &seen);
  pthread_mutex_lock(&lock);
  free(current);
  current = NULL;
  pthread_mutex_unlock(&lock);
  pthread_join(t, NULL);
  return seen - 4;
}
