/* Conditions, barriers, semaphores and once flags, with and without a deadline, and misused. */
#define _GNU_SOURCE
#include <limits.h>
#include <pthread.h>
#include <semaphore.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t checked = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
static pthread_mutex_t recursive = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER, other;
static pthread_barrier_t barrier;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static sem_t semaphore, full;
static int turns;

static struct timespec soon(void) {
  struct timespec t;
  clock_gettime(CLOCK_REALTIME, &t);
  t.tv_nsec = 0;
  t.tv_sec++;
  return t;
}

static void init(void) {
  turns = 0;
}

static void *sleeper(void *arg) {
  struct timespec t = soon(), wrong = {0, -1};
  pthread_once(&once, init);
  pthread_mutex_lock(&lock);
  while (turns == 0) pthread_cond_wait(&cond, &lock);
  pthread_cond_timedwait(&cond, &lock, &wrong);
  pthread_cond_timedwait(&cond, &lock, &t);
  pthread_mutex_unlock(&lock);
  if (sem_trywait(&semaphore) == 0) sem_post(&semaphore);
  if (sem_timedwait(&semaphore, &t) == 0) sem_post(&semaphore);
  if (sem_timedwait(&semaphore, &wrong) == 0) sem_post(&semaphore);
  pthread_mutex_lock(&recursive);
  pthread_mutex_lock(&recursive);
  pthread_cond_timedwait(&other, &recursive, &t);
  pthread_mutex_unlock(&recursive);
  pthread_mutex_unlock(&recursive);
  pthread_barrier_wait(&barrier);
  return arg;
}

int main(void) {
  pthread_t a, b;
  int value;
  pthread_barrier_init(&barrier, NULL, 0);
  pthread_barrier_init(&barrier, NULL, 3);
  sem_init(&semaphore, 0, 0);
  sem_init(&full, 0, (unsigned)INT_MAX + 1);
  sem_init(&full, 0, INT_MAX);
  sem_post(&full);
  sem_destroy(&full);
  pthread_cond_init(&other, NULL);
  pthread_cond_wait(&other, &checked);
  pthread_create(&a, NULL, sleeper, NULL);
  pthread_create(&b, NULL, sleeper, NULL);
  pthread_once(&once, init);
  pthread_cond_signal(&cond);
  pthread_mutex_lock(&lock);
  turns = 1;
  pthread_cond_signal(&cond);
  pthread_cond_broadcast(&cond);
  pthread_mutex_unlock(&lock);
  sem_post(&semaphore);
  sem_getvalue(&semaphore, &value);
  sem_wait(&semaphore);
  sem_post(&semaphore);
  pthread_cond_broadcast(&other);
  pthread_barrier_wait(&barrier);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  pthread_cond_destroy(&other);
  pthread_barrier_destroy(&barrier);
  return 0;
}
