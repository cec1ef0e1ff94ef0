// race: unsafe lines 11 — the wrapper returns the raw result, its caller takes it for a truth value
#include <pthread.h>
#include <stdbool.h>

static int value;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static bool try_enter(void) { return pthread_mutex_trylock(&lock); }

static void *bump(void *arg) {
  if (try_enter()) value++;
  else pthread_mutex_unlock(&lock);
  return arg;
}

int main(void) {
  pthread_t t[3];
  for (int i = 0; i < 3; i++) pthread_create(&t[i], NULL, bump, NULL);
  for (int i = 0; i < 3; i++) pthread_join(t[i], NULL);
  return value > 2;
}
