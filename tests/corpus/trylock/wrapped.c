// race: safe — a function of the program returns whether it got the lock
#include <pthread.h>
#include <stdbool.h>

static int value;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static bool try_enter(void) { return pthread_mutex_trylock(&lock) == 0; }
static void leave(void) { pthread_mutex_unlock(&lock); }

static void *bump(void *arg) {
  if (!try_enter()) return NULL;
  value++;
  leave();
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, bump, NULL);
  pthread_create(&b, NULL, bump, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return value < 1;
}
