// race: safe; deadlock: safe — after a time-out only the guarded flag decides
#include <pthread.h>
#include <time.h>

static int data, ready;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;

static void *giver(void *arg) {
  data = 8;
  pthread_mutex_lock(&lock);
  ready = 1;
  pthread_cond_signal(&cond);
  pthread_mutex_unlock(&lock);
  return arg;
}

int main(void) {
  pthread_t t;
  struct timespec when;
  int got = 8;
  clock_gettime(CLOCK_REALTIME, &when);
  when.tv_nsec = (when.tv_nsec + 1000) % 1000000000;
  pthread_create(&t, NULL, giver, NULL);
  pthread_mutex_lock(&lock);
  if (!ready) pthread_cond_timedwait(&cond, &lock, &when);
  int there = ready;
  pthread_mutex_unlock(&lock);
  if (there) got = data;
  pthread_join(t, NULL);
  return got - 8;
}
