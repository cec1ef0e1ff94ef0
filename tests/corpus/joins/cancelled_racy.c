// race: unsafe lines 10 20 — a cancelled thread goes on until its next cancellation point
#include <pthread.h>
#include <sched.h>

static long rounds;

static void *work(void *arg) {
  for (;;) {
    pthread_testcancel();
    rounds++;
    sched_yield();
  }
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, work, NULL);
  pthread_cancel(t);
  long seen = rounds;
  pthread_join(t, NULL);
  return seen < 0;
}
