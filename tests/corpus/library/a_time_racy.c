// race: unsafe lines 13 — who does not get the lock goes on without it if the time was none
#include <errno.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int x;

static void *worker(void *unused) {
  struct timespec when = {100, 1000000000};
  int r = pthread_mutex_timedlock(&lock, &when);
  if (r != ETIMEDOUT) {
    x++;
    if (r == 0)
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
