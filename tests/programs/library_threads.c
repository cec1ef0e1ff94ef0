/* Threads that the library starts: a timer that calls a function, and clone. */
#define _GNU_SOURCE
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static sem_t done;
static atomic_int count;

static void expired(union sigval value) {
  *(int *)value.sival_ptr += 40;
  sem_post(&done);
}

static int work(void *arg) {
  atomic_fetch_add(&count, *(int *)arg);
  sem_post(&done);
  return 0;
}

int main(void) {
  int sum = 2;
  struct sigevent event = {.sigev_notify = SIGEV_THREAD, .sigev_notify_function = expired};
  struct itimerspec soon = {.it_value = {.tv_nsec = 1000}}, bad = {.it_value = {.tv_nsec = -1}};
  struct itimerspec none = {0}, old = {.it_value = {.tv_sec = 7}};
  timer_t timer;
  event.sigev_value.sival_ptr = &sum;
  sem_init(&done, 0, 0);
  printf("create %d\n", timer_create(CLOCK_MONOTONIC, &event, &timer));
  printf("bad %d\n", timer_settime(timer, 0, &bad, NULL));
  printf("none %d\n", timer_settime(timer, 0, &none, &old));
  printf("old %ld %ld\n", (long)old.it_value.tv_sec, (long)old.it_interval.tv_sec);
  printf("set %d\n", timer_settime(timer, 0, &soon, NULL));
  sem_wait(&done);
  printf("sum %d, overrun %d\n", sum, timer_getoverrun(timer));
  printf("delete %d\n", timer_delete(timer));
  enum { STACK = 65536 };
  char *stack = malloc(STACK);
  if (!stack) return 1;
  int id = clone(work, stack + STACK, CLONE_VM | CLONE_SIGHAND | CLONE_THREAD, &sum);
  sem_wait(&done);
  printf("clone %d, count %d\n", id > 0, atomic_load(&count));
  return 0;
}
