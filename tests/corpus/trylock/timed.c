// race: safe; deadlock: safe — a timed lock whose time-out is respected
#include <pthread.h>
#include <time.h>

static int value;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *bump(void *arg) {
  struct timespec when;
  clock_gettime(CLOCK_REALTIME, &when);
  when.tv_sec += 1;
  int result = pthread_mutex_timedlock(&lock, &when);
  if (result != 0) return NULL;
  value++;
  pthread_mutex_unlock(&lock);
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
