// race: safe — the destructor of thread-specific data is free itself, for what each thread has alone
#include <pthread.h>
#include <stdlib.h>

static pthread_key_t key;

static void *worker(void *argument) {
  int *block = malloc(sizeof *block);
  if (!block) return argument;
  pthread_setspecific(key, block);
  *block = 1;
  return argument;
}

int main(void) {
  pthread_t a, b;
  pthread_key_create(&key, free);
  pthread_create(&a, NULL, worker, NULL);
  pthread_create(&b, NULL, worker, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
