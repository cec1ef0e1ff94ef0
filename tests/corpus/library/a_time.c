// race: safe; assert: safe — a time that is one: who does not get the lock in time is told so
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int x;

static void *worker(void *unused) {
  struct timespec when = {100, 999999999};
  int r = pthread_mutex_timedlock(&lock, &when);
  if (r != ETIMEDOUT) {
    x++;
    pthread_mutex_unlock(&lock);
  }
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, worker, NULL);
  pthread_create(&b, NULL, worker, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
