/* Every answer that a lock can give: busy, held by oneself, not held, recursive, robust, late. */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t recursive = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static pthread_mutex_t checked = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
static pthread_mutex_t robust, lost, plain = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;
static pthread_spinlock_t spin;
static struct timespec soon, wrong = {0, -1};

static void *dies(void *mutex) {
  pthread_mutex_lock(mutex);
  return NULL;
}

static void *contends(void *arg) {
  clock_gettime(CLOCK_REALTIME, &soon);
  if (pthread_mutex_timedlock(&plain, &soon) == 0) pthread_mutex_unlock(&plain);
  if (pthread_mutex_timedlock(&plain, &wrong) == 0) pthread_mutex_unlock(&plain);
  if (pthread_mutex_trylock(&plain) == 0) pthread_mutex_unlock(&plain);
  if (pthread_rwlock_trywrlock(&rw) == 0) pthread_rwlock_unlock(&rw);
  if (pthread_rwlock_timedwrlock(&rw, &soon) == 0) pthread_rwlock_unlock(&rw);
  if (pthread_rwlock_timedrdlock(&rw, &soon) == 0) pthread_rwlock_unlock(&rw);
  if (pthread_spin_trylock(&spin) == 0) pthread_spin_unlock(&spin);
  pthread_mutex_unlock(&checked);
  return arg;
}

static void owner_dead(pthread_mutex_t *mutex, int repair) {
  pthread_mutexattr_t attribute;
  pthread_t t;
  pthread_mutexattr_init(&attribute);
  pthread_mutexattr_setrobust(&attribute, PTHREAD_MUTEX_ROBUST);
  pthread_mutex_init(mutex, &attribute);
  pthread_create(&t, NULL, dies, mutex);
  pthread_join(t, NULL);
  if (pthread_mutex_lock(mutex) == EOWNERDEAD && repair) pthread_mutex_consistent(mutex);
  pthread_mutex_unlock(mutex);
  if (pthread_mutex_lock(mutex) == 0) pthread_mutex_unlock(mutex);
  pthread_mutex_destroy(mutex);
}

int main(void) {
  pthread_t t;
  clock_gettime(CLOCK_REALTIME, &soon);
  pthread_spin_init(&spin, 0);
  pthread_mutex_lock(&recursive);
  pthread_mutex_lock(&recursive);
  pthread_mutex_trylock(&recursive);
  pthread_mutex_unlock(&recursive);
  pthread_mutex_unlock(&recursive);
  pthread_mutex_unlock(&recursive);
  pthread_mutex_unlock(&recursive);
  pthread_mutex_lock(&checked);
  pthread_mutex_lock(&checked);
  pthread_mutex_trylock(&checked);
  pthread_mutex_destroy(&checked);
  pthread_create(&t, NULL, contends, NULL);
  pthread_mutex_lock(&plain);
  pthread_mutex_timedlock(&plain, &soon);
  pthread_mutex_trylock(&plain);
  pthread_spin_lock(&spin);
  pthread_rwlock_rdlock(&rw);
  pthread_rwlock_rdlock(&rw);
  pthread_rwlock_destroy(&rw);
  pthread_spin_unlock(&spin);
  pthread_mutex_unlock(&plain);
  pthread_rwlock_unlock(&rw);
  pthread_rwlock_unlock(&rw);
  pthread_rwlock_wrlock(&rw);
  pthread_rwlock_wrlock(&rw);
  pthread_rwlock_rdlock(&rw);
  pthread_rwlock_tryrdlock(&rw);
  pthread_rwlock_unlock(&rw);
  pthread_join(t, NULL);
  pthread_mutex_unlock(&checked);
  owner_dead(&robust, 1);
  owner_dead(&lost, 0);
  pthread_rwlock_destroy(&rw);
  return 0;
}
