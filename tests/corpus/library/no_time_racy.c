// race: unsafe lines 9 21 — a lock that is held, and a time that is none
#include <errno.h>
#include <pthread.h>
#include <time.h>

static int x;

static void *writer(void *unused) {
  x = 1;
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, writer, NULL);
  pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  struct timespec when = {0, 2000000000};
  pthread_mutex_lock(&lock);
  int r = pthread_mutex_timedlock(&lock, &when);
  if (r == EINVAL)
    x = 2;
  pthread_join(thread, NULL);
  return 0;
}
