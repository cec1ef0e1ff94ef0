/* Barriers and once. */
#include "scenario.h"

static pthread_barrier_t b;
SHARED int x, y, part[2];

THREAD(x_before) {
  x++;
  pthread_barrier_wait(&b);
  return NULL;
}
THREAD(x_after) {
  pthread_barrier_wait(&b);
  x++;
  return NULL;
}
SCENARIO(barrier_separates, CLEAN) {
  pthread_barrier_init(&b, NULL, 2);
  both(x_before, x_after);
}
THREAD(late_x_before) {
  later();
  return x_before(NULL);
}
SCENARIO(barrier_both_before, RACE) {
  pthread_barrier_init(&b, NULL, 2);
  both(x_before, late_x_before);
}
THREAD(late_x_after) {
  pthread_barrier_wait(&b);
  later();
  x++;
  return NULL;
}
SCENARIO(barrier_both_after, RACE) {
  pthread_barrier_init(&b, NULL, 2);
  both(x_after, late_x_after);
}
THREAD(phases) {
  long me = (long)argument;
  for (int i = 0; i < 3; i++) {
    part[me]++;
    pthread_barrier_wait(&b);
    volatile int other = part[1 - me];
    (void)other;
    pthread_barrier_wait(&b);
  }
  return NULL;
}
SCENARIO(barrier_phases, CLEAN) {
  pthread_barrier_init(&b, NULL, 2);
  pthread_t a = start(phases, (void *)0), c = start(phases, (void *)1);
  finish(a);
  finish(c);
}
THREAD(phases_without_second) {
  long me = (long)argument;
  for (int i = 0; i < 2; i++) {
    if (me) later();
    part[me]++;
    pthread_barrier_wait(&b);
    volatile int other = part[1 - me];
    (void)other;
  }
  return NULL;
}
SCENARIO(barrier_missing_second, RACE) {
  pthread_barrier_init(&b, NULL, 2);
  pthread_t a = start(phases_without_second, (void *)0);
  pthread_t c = start(phases_without_second, (void *)1);
  finish(a);
  finish(c);
}
THREAD(serial_writes) {
  if (pthread_barrier_wait(&b) == PTHREAD_BARRIER_SERIAL_THREAD) x++;
  pthread_barrier_wait(&b);
  y = x;
  return NULL;
}
THREAD(serial_writes_only) {
  if (pthread_barrier_wait(&b) == PTHREAD_BARRIER_SERIAL_THREAD) x++;
  pthread_barrier_wait(&b);
  volatile int seen = x;
  (void)seen;
  return NULL;
}
SCENARIO(barrier_serial_thread, CLEAN) {
  pthread_barrier_init(&b, NULL, 2);
  both(serial_writes_only, serial_writes_only);
}
SCENARIO(barrier_result_by_all, RACE) {
  pthread_barrier_init(&b, NULL, 2);
  both(serial_writes, serial_writes);
}

static pthread_once_t once = PTHREAD_ONCE_INIT;
static void make(void) {
  x = 42;
}
THREAD(uses_once) {
  pthread_once(&once, make);
  volatile int seen = x;
  (void)seen;
  return NULL;
}
SCENARIO(once_then_read, CLEAN) {
  both(uses_once, uses_once);
}
THREAD(once_then_write) {
  pthread_once(&once, make);
  later();
  x++;
  return NULL;
}
SCENARIO(once_then_writes, RACE) {
  both(once_then_write, uses_once);
}
THREAD(reads_before_once) {
  later();
  volatile int seen = x;
  (void)seen;
  pthread_once(&once, make);
  return NULL;
}
SCENARIO(once_read_too_early, RACE) {
  both(uses_once, reads_before_once);
}
THREAD(hidden_by_once) {
  later();
  pthread_once(&once, make);
  y++;
  return NULL;
}
THREAD(y_then_once) {
  y++;
  pthread_once(&once, make);
  return NULL;
}
SCENARIO(hidden_by_once_call, RACE) {
  both(y_then_once, hidden_by_once);
}
