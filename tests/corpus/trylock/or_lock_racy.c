// race: unsafe lines 9 — contention is counted before the lock is there
#include <pthread.h>

static int value, contended;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void enter(void) {
  if (pthread_mutex_trylock(&lock) != 0) {
    contended++;
    pthread_mutex_lock(&lock);
  }
}

static void *bump(void *arg) {
  enter();
  value++;
  pthread_mutex_unlock(&lock);
  return arg;
}

int main(void) {
  pthread_t t[3];
  for (int i = 0; i < 3; i++) pthread_create(&t[i], NULL, bump, NULL);
  for (int i = 0; i < 3; i++) pthread_join(t[i], NULL);
  return value - 3 + (contended > 2);
}
