// deadlock: safe — endless work is no deadlock: the thread spins until the process ends
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

static atomic_int rounds;

static void *spin(void *arg) {
  for (;;) {
    atomic_fetch_add(&rounds, 1);
    sched_yield();
  }
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, spin, NULL);
  pthread_detach(t);
  while (atomic_load(&rounds) < 3) sched_yield();
  return 0;
}
