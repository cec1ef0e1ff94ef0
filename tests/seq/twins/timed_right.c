// Who does not get the lock in time goes away.
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int held;

static void *work(void *arg) {
  struct timespec soon = {0, 0};
  int late = pthread_mutex_timedlock(&lock, &soon);
  if (late) return arg;
  held = held + 1;
  assert(held == 1);
  held = held - 1;
  pthread_mutex_unlock(&lock);
  return arg;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, work, NULL);
  work(NULL);
  return 0;
}
