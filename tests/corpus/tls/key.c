// race: safe — thread-specific data: each thread stores a pointer of its own
#include <pthread.h>
#include <stdlib.h>

static pthread_key_t key;

static void step(void) {
  int *n = pthread_getspecific(key);
  (*n)++;
}

static void *work(void *arg) {
  int *n = calloc(1, sizeof *n);
  if (!n) return NULL;
  pthread_setspecific(key, n);
  step();
  step();
  *(int *)arg = *n;
  return NULL;
}

int main(void) {
  pthread_t a, b;
  int x = 0, y = 0;
  pthread_key_create(&key, free);
  pthread_create(&a, NULL, work, &x);
  pthread_create(&b, NULL, work, &y);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return x - y;
}
