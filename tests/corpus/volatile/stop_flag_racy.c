// race: unsafe lines 10 20 — the stop flag that everybody writes: volatile sig_atomic_t
#include <pthread.h>
#include <sched.h>
#include <signal.h>

static volatile sig_atomic_t stop;
static int rounds;

static void *work(void *arg) {
  while (!stop) {
    rounds++;
    sched_yield();
  }
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, work, NULL);
  stop = 1;
  pthread_join(t, NULL);
  return rounds < 0;
}
