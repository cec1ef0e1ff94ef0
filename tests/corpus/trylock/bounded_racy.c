// race: unsafe lines 10 — after three attempts the thread goes on without the lock
#include <pthread.h>

static int value;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *bump(void *arg) {
  int held = 0;
  for (int i = 0; i < 3 && !held; i++) held = pthread_mutex_trylock(&lock) == 0;
  value++;
  if (held) pthread_mutex_unlock(&lock);
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, bump, NULL);
  pthread_create(&b, NULL, bump, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return value > 2;
}
