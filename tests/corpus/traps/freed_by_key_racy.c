// race: unsafe lines 17 19 — the destructor of thread-specific data is free itself, and main goes on writing
#include <pthread.h>
#include <stdlib.h>

static pthread_key_t key;
static int *block;

static void *worker(void *argument) {
  pthread_setspecific(key, block);
  return argument;
}

int main(void) {
  pthread_t a;
  block = malloc(sizeof *block);
  if (!block) return 0;
  pthread_key_create(&key, free);
  pthread_create(&a, NULL, worker, NULL);
  *block = 1;
  pthread_join(a, NULL);
  return 0;
}
