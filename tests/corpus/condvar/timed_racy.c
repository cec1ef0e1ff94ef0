// race: unsafe lines 10 26 — after a time-out the data is read although the flag is not set
#include <pthread.h>
#include <errno.h>

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
  struct timespec past = {1, 0};
  pthread_create(&t, NULL, giver, NULL);
  pthread_mutex_lock(&lock);
  while (!ready)
    if (pthread_cond_timedwait(&cond, &lock, &past) == ETIMEDOUT) break;
  pthread_mutex_unlock(&lock);
  int got = data;
  pthread_join(t, NULL);
  return got > 8;
}
