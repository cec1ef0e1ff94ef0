// race: unsafe lines 9 16 — the test of the stored result is the wrong way round
#include <pthread.h>

static int value;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *bump(void *arg) {
  int busy = pthread_mutex_trylock(&lock);
  if (busy) value++;
  else pthread_mutex_unlock(&lock);
  return arg;
}

static void *holder(void *arg) {
  pthread_mutex_lock(&lock);
  value += 10;
  pthread_mutex_unlock(&lock);
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, holder, NULL);
  pthread_create(&b, NULL, bump, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return value > 11;
}
