// race: safe; deadlock: safe — a cancelled thread is joined before its counter is read
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
  pthread_join(t, NULL);
  return rounds < 0;
}
