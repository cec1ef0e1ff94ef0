/* Waits with and without a time, one of them with a recursive mutex; a read-write lock that is tried. */
#include <errno.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER, again;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER, other = PTHREAD_COND_INITIALIZER;
static pthread_rwlock_t readers = PTHREAD_RWLOCK_INITIALIZER;
static int turn, seen, late;

static void *waiter(void *arg) {
  struct timespec soon = {1, 0};
  pthread_mutex_lock(&lock);
  while (!turn) pthread_cond_wait(&cond, &lock);
  turn = 0;
  pthread_mutex_unlock(&lock);
  pthread_mutex_lock(&again);
  pthread_mutex_lock(&again);
  pthread_mutex_unlock(&again);
  if (pthread_cond_timedwait(&other, &again, &soon) == ETIMEDOUT) late++;
  pthread_mutex_unlock(&again);
  if (pthread_rwlock_trywrlock(&readers) == 0) {
    seen++;
    pthread_rwlock_unlock(&readers);
  }
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_mutexattr_t attribute;
  pthread_mutexattr_init(&attribute);
  pthread_mutexattr_settype(&attribute, PTHREAD_MUTEX_RECURSIVE);
  pthread_mutex_init(&again, &attribute);
  pthread_create(&t, NULL, waiter, NULL);
  pthread_rwlock_rdlock(&readers);
  pthread_mutex_lock(&lock);
  turn = 1;
  pthread_cond_signal(&cond);
  pthread_mutex_unlock(&lock);
  pthread_cond_broadcast(&other);
  pthread_rwlock_unlock(&readers);
  pthread_join(t, NULL);
  return seen + late;
}
