// race: unsafe lines 9 — all threads store the same pointer as their thread-specific data
#include <pthread.h>

static pthread_key_t key;
static int shared_count;

static void step(void) {
  int *n = pthread_getspecific(key);
  (*n)++;
}

static void *work(void *arg) {
  pthread_setspecific(key, &shared_count);
  step();
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_key_create(&key, NULL);
  pthread_create(&a, NULL, work, NULL);
  pthread_create(&b, NULL, work, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return shared_count > 2;
}
