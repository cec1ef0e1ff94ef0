/* Two counters under one lock. Faulty: one of them is counted without it. */
#include <pthread.h>
#include <unistd.h>

static int x, y;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void count(void) {
  pthread_mutex_lock(&lock);
  x++;
#ifdef RIGHT
  y++;
#endif
  pthread_mutex_unlock(&lock);
#ifndef RIGHT
  y++;
#endif
}

static void *worker(void *argument) {
  usleep(20000);
  count();
  return argument;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, worker, NULL);
  count();
  pthread_join(t, NULL);
  return x + y == 4 ? 0 : 1;
}
