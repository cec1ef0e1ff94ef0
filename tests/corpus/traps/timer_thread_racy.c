// race: unsafe lines 10 29 30 — a timer runs its function in a thread of its own
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <time.h>

static int ticks;

static void tick(union sigval value) {
  (*(int *)value.sival_ptr)++;
}

static void *worker(void *unused) {
  return unused;
}

int main(void) {
  pthread_t a;
  timer_t timer;
  struct sigevent event = {0};
  event.sigev_notify = SIGEV_THREAD;
  event.sigev_notify_function = tick;
  event.sigev_value.sival_ptr = &ticks;
  if (timer_create(CLOCK_MONOTONIC, &event, &timer)) return 1;
  struct itimerspec soon = {.it_value = {.tv_nsec = 1000}};
  timer_settime(timer, 0, &soon, 0);
  pthread_create(&a, 0, worker, 0);
  pthread_join(a, 0);
  ticks++;
  return ticks > 1000;
}
