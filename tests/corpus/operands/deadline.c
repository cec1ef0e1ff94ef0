// race: safe; deadlock: safe — the deadline of a timed lock is set before the thread begins
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
  later();
  pthread_create(&t, NULL, worker, NULL);
  pthread_join(t, NULL);
  return 0;
}
