// race: safe — the stop flag done right: an atomic
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

static atomic_bool stop;
static int rounds;

static void *work(void *arg) {
  while (!atomic_load(&stop)) {
    rounds++;
    sched_yield();
  }
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, work, NULL);
  atomic_store(&stop, 1);
  pthread_join(t, NULL);
  return rounds < 0;
}
