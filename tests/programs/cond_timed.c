/* Timed waits on a condition: timing out with nobody there, being woken in time, the lock
   held after. */
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER, mono;
static int ready, woken, late;

static struct timespec from_now(clockid_t clock, long ms) {
  struct timespec t;
  clock_gettime(clock, &t);
  t.tv_nsec += ms % 1000 * 1000000;
  t.tv_sec += ms / 1000 + t.tv_nsec / 1000000000;
  t.tv_nsec %= 1000000000;
  return t;
}

static void *waiter(void *arg) {
  (void)arg;
  struct timespec end = from_now(CLOCK_REALTIME, 3600000);
  pthread_mutex_lock(&lock);
  int r = 0;
  while (!ready && r == 0) r = pthread_cond_timedwait(&cond, &lock, &end);
  if (r == 0)
    woken++;
  else
    late++;
  pthread_mutex_unlock(&lock);
  return NULL;
}

int main(void) {
  struct timespec t = from_now(CLOCK_REALTIME, 20), past = {1, 0}, bad = {1, -1};
  pthread_mutex_lock(&lock);
  int r;
  while ((r = pthread_cond_timedwait(&cond, &lock, &t)) == 0);
  printf("%s\n", r == ETIMEDOUT ? "timed out" : "error");
  while ((r = pthread_cond_timedwait(&cond, &lock, &past)) == 0);
  printf("%s\n", r == ETIMEDOUT ? "timed out" : "error");
  printf("%s\n",
         pthread_cond_timedwait(&cond, &lock, &bad) == EINVAL ? "EINVAL" : "other");
  printf("%d\n", pthread_mutex_trylock(&lock) == EBUSY);

  pthread_condattr_t a;
  clockid_t which = -1;
  pthread_condattr_init(&a);
  pthread_condattr_setclock(&a, CLOCK_MONOTONIC);
  pthread_condattr_getclock(&a, &which);
  printf("%d\n", which == CLOCK_MONOTONIC);
  pthread_cond_init(&mono, &a);
  pthread_condattr_destroy(&a);
  t = from_now(CLOCK_MONOTONIC, 10);
  while ((r = pthread_cond_timedwait(&mono, &lock, &t)) == 0);
  printf("%s\n", r == ETIMEDOUT ? "timed out" : "error");
  pthread_mutex_unlock(&lock);

  pthread_t w[3];
  for (int i = 0; i < 3; i++) pthread_create(&w[i], NULL, waiter, NULL);
  pthread_mutex_lock(&lock);
  ready = 1;
  pthread_cond_broadcast(&cond);
  pthread_mutex_unlock(&lock);
  for (int i = 0; i < 3; i++) pthread_join(w[i], NULL);
  printf("%d woken %d late\n", woken, late);
  return 0;
}
