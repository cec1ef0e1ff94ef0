/* Condition variables. */
#include "scenario.h"

#include <semaphore.h>
#include <time.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
SHARED int flag, x, y;

#define LOCK()   pthread_mutex_lock(&m)
#define UNLOCK() pthread_mutex_unlock(&m)

static void await(void) {
  LOCK();
  while (!flag) pthread_cond_wait(&c, &m);
  UNLOCK();
}
static void announce(void) {
  LOCK();
  flag = 1;
  pthread_cond_signal(&c);
  UNLOCK();
}

THREAD(waits_then_x) {
  await();
  x++;
  return NULL;
}
SCENARIO(cond_ordered, CLEAN) {
  pthread_t t = start(waits_then_x, NULL);
  later();
  x++;
  announce();
  finish(t);
}
SCENARIO(cond_signal_first, CLEAN) {
  x++;
  announce();
  finish(start(waits_then_x, NULL));
}
THREAD(late_waits_then_x) {
  later();
  return waits_then_x(NULL);
}
SCENARIO(cond_no_wait_needed, CLEAN) {
  pthread_t t = start(late_waits_then_x, NULL);
  x++;
  announce();
  finish(t);
}
SCENARIO(cond_write_after_signal, RACE) {
  pthread_t t = start(waits_then_x, NULL);
  later();
  announce();
  x++;
  finish(t);
}
THREAD(x_then_waits) {
  x++;
  await();
  return NULL;
}
SCENARIO(cond_write_before_wait, RACE) {
  pthread_t t = start(x_then_waits, NULL);
  later();
  x++;
  announce();
  finish(t);
}
THREAD(x_in_section) {
  LOCK();
  while (!flag) pthread_cond_wait(&c, &m);
  x++;
  UNLOCK();
  return NULL;
}
SCENARIO(cond_inside_section, CLEAN) {
  pthread_t t = start(x_in_section, NULL);
  later();
  LOCK();
  x++;
  flag = 1;
  pthread_cond_signal(&c);
  UNLOCK();
  finish(t);
}
SCENARIO(cond_broadcast, CLEAN) {
  pthread_t a = start(x_in_section, NULL), b = start(x_in_section, NULL);
  later();
  LOCK();
  flag = 1;
  pthread_cond_broadcast(&c);
  UNLOCK();
  finish(a);
  finish(b);
}
SCENARIO(cond_broadcast_then_bare, RACE) {
  pthread_t a = start(waits_then_x, NULL), b = start(waits_then_x, NULL);
  later();
  LOCK();
  flag = 1;
  pthread_cond_broadcast(&c);
  UNLOCK();
  finish(a);
  finish(b);
}
THREAD(flag_without_lock) {
  later();
  flag = 1;
  pthread_cond_broadcast(&c);
  return NULL;
}
THREAD(times_out_or_not) {
  struct timespec until;
  LOCK();
  while (!flag) {
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += 5000000;
    if (until.tv_nsec >= 1000000000) {
      until.tv_nsec -= 1000000000;
      until.tv_sec++;
    }
    pthread_cond_timedwait(&c, &m, &until);
  }
  UNLOCK();
  return NULL;
}
SCENARIO(cond_flag_without_lock, RACE) {
  both(times_out_or_not, flag_without_lock);
}
THREAD(timed_then_x) {
  times_out_or_not(NULL);
  x++;
  return NULL;
}
SCENARIO(cond_timed_ordered, CLEAN) {
  pthread_t t = start(timed_then_x, NULL);
  later();
  x++;
  announce();
  finish(t);
}
/* Two stages handed over in both directions. */
SHARED int stage;
THREAD(ping) {
  LOCK();
  while (stage != 1) pthread_cond_wait(&c, &m);
  UNLOCK();
  x++;
  LOCK();
  stage = 2;
  pthread_cond_broadcast(&c);
  UNLOCK();
  return NULL;
}
SCENARIO(cond_ping_pong, CLEAN) {
  pthread_t t = start(ping, NULL);
  x++;
  later();
  LOCK();
  stage = 1;
  pthread_cond_broadcast(&c);
  UNLOCK();
  LOCK();
  while (stage != 2) pthread_cond_wait(&c, &m);
  UNLOCK();
  x++;
  finish(t);
}
SCENARIO(cond_ping_pong_early, RACE) {
  pthread_t t = start(ping, NULL);
  later();
  LOCK();
  stage = 1;
  pthread_cond_broadcast(&c);
  UNLOCK();
  y = x;
  LOCK();
  while (stage != 2) pthread_cond_wait(&c, &m);
  UNLOCK();
  finish(t);
}

/* The order with the race has the waiter come when the signal was given: it must get the
 * second token of the semaphore, which is posted after the signal. */
static sem_t tokens;
THREAD(y_then_token) {
  y++;
  sem_post(&tokens);
  return NULL;
}
THREAD(token_waits_then_y) {
  sem_wait(&tokens);
  await();
  y++;
  return NULL;
}
THREAD(locked_y_then_token) {
  LOCK();
  y++;
  UNLOCK();
  sem_post(&tokens);
  return NULL;
}
THREAD(token_waits_then_locked_y) {
  sem_wait(&tokens);
  await();
  LOCK();
  y++;
  UNLOCK();
  return NULL;
}
static void with_tokens(void *(*one)(void *), void *(*two)(void *)) {
  sem_init(&tokens, 0, 0);
  pthread_t a = start(one, NULL), b = start(two, NULL);
  later();
  announce();
  sem_post(&tokens);
  finish(a);
  finish(b);
}
SCENARIO(cond_skipped_wait, RACE) {
  with_tokens(y_then_token, token_waits_then_y);
}
SCENARIO(cond_skipped_wait_locked, CLEAN) {
  with_tokens(locked_y_then_token, token_waits_then_locked_y);
}
