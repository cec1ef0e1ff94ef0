/* Semaphores. */
#include "scenario.h"

#include <semaphore.h>
#include <time.h>

static sem_t s, s2;
SHARED int x, y;

THREAD(sem_guarded) {
  sem_wait(&s);
  x++;
  sem_post(&s);
  return NULL;
}
SCENARIO(sem_as_mutex, CLEAN) {
  sem_init(&s, 0, 1);
  both(sem_guarded, sem_guarded);
}
THREAD(late_sem_guarded) {
  later();
  return sem_guarded(NULL);
}
SCENARIO(sem_of_two, RACE) {
  sem_init(&s, 0, 2);
  both(sem_guarded, late_sem_guarded);
}
THREAD(sem_waits_then_x) {
  sem_wait(&s);
  x++;
  return NULL;
}
SCENARIO(sem_handover, CLEAN) {
  sem_init(&s, 0, 0);
  pthread_t t = start(sem_waits_then_x, NULL);
  x++;
  sem_post(&s);
  finish(t);
}
SCENARIO(sem_write_after_post, RACE) {
  sem_init(&s, 0, 0);
  pthread_t t = start(sem_waits_then_x, NULL);
  sem_post(&s);
  later();
  x++;
  finish(t);
}
THREAD(posts_then_x) {
  sem_post(&s);
  x++;
  return NULL;
}
THREAD(x_then_posts) {
  later();
  x++;
  sem_post(&s);
  return NULL;
}
/* Any of the two posts lets the waiter through. */
SCENARIO(sem_wrong_post, RACE) {
  sem_init(&s, 0, 0);
  pthread_t a = start(x_then_posts, NULL);
  later();
  later();
  sem_post(&s);
  sem_wait(&s);
  x++;
  finish(a);
}
SCENARIO(sem_waits_for_both, CLEAN) {
  sem_init(&s, 0, 0);
  pthread_t a = start(x_then_posts, NULL);
  sem_wait(&s);
  x++;
  finish(a);
}
SCENARIO(sem_post_before_write, RACE) {
  sem_init(&s, 0, 0);
  pthread_t a = start(posts_then_x, NULL);
  sem_wait(&s);
  later();
  x++;
  finish(a);
}
THREAD(sem_try) {
  later();
  if (sem_trywait(&s) == 0) {
    x++;
    sem_post(&s);
  }
  return NULL;
}
SCENARIO(sem_try_wait, CLEAN) {
  sem_init(&s, 0, 1);
  both(sem_guarded, sem_try);
}
THREAD(sem_try_ignored) {
  later();
  if (sem_trywait(&s) == 0) sem_post(&s);
  x++;
  return NULL;
}
SCENARIO(sem_try_ignored, RACE) {
  sem_init(&s, 0, 1);
  both(sem_guarded, sem_try_ignored);
}
THREAD(ring_one) {
  for (int i = 0; i < 3; i++) {
    sem_wait(&s);
    x++;
    sem_post(&s2);
  }
  return NULL;
}
THREAD(ring_two) {
  for (int i = 0; i < 3; i++) {
    sem_wait(&s2);
    x++;
    sem_post(&s);
  }
  return NULL;
}
SCENARIO(sem_ring, CLEAN) {
  sem_init(&s, 0, 1);
  sem_init(&s2, 0, 0);
  both(ring_one, ring_two);
}
SCENARIO(sem_ring_of_two_tokens, RACE) {
  sem_init(&s, 0, 1);
  sem_init(&s2, 0, 1);
  both(ring_one, ring_two);
}
