// race: unsafe lines 11 — the time-out of a timed lock is overlooked
#include <pthread.h>
#include <time.h>

static int value;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *bump(void *arg) {
  struct timespec past = {0, 0};
  int result = pthread_mutex_timedlock(&lock, &past);
  value++;
  if (result == 0) pthread_mutex_unlock(&lock);
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
