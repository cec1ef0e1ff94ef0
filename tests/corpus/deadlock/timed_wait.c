// deadlock: safe — a timed wait ends even where nobody signals
#include <errno.h>
#include <pthread.h>
#include <time.h>

static int done;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;

static void *worker(void *arg) { return arg; }

int main(void) {
  pthread_t t;
  struct timespec when;
  pthread_create(&t, NULL, worker, NULL);
  clock_gettime(CLOCK_REALTIME, &when);
  when.tv_sec += 1;
  pthread_mutex_lock(&lock);
  while (!done)
    if (pthread_cond_timedwait(&cond, &lock, &when) == ETIMEDOUT) break;
  pthread_mutex_unlock(&lock);
  pthread_join(t, NULL);
  return 0;
}
