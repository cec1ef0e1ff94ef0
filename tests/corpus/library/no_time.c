// race: safe — the same, looked at after the join
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
  int failed = r == EINVAL;
  pthread_join(thread, NULL);
  if (failed)
    x = 2;
  return 0;
}
