// race: unsafe lines 12 19; deadlock: safe — the library reads the deadline of a timed lock
#define _GNU_SOURCE
#include <pthread.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct timespec deadline;
static int count;

static void *worker(void *arg) {
  (void)arg;
  if (pthread_mutex_timedlock(&lock, &deadline) == 0) {
    count++;
    pthread_mutex_unlock(&lock);
  }
  return NULL;
}
static void later(void) {
  deadline.tv_sec = 1000;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, worker, NULL);
  later();
  pthread_join(t, NULL);
  return 0;
}
