// A lock that could not be had in time is not there.
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int held;

static void *work(void *arg) {
  struct timespec soon = {0, 0};
  int late = pthread_mutex_timedlock(&lock, &soon);
  held = held + 1;
  assert(held == 1);
  held = held - 1;
  if (!late) pthread_mutex_unlock(&lock);
  return arg;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, work, NULL);
  work(NULL);
  return 0;
}
