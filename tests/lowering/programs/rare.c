/* Threads that do not exist, deadlines that are malformed, sections, and robust waits. */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <time.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER, robust;
static pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static int x;

static void *ends(void *arg) {
  __VERIFIER_atomic_begin();
  x++;
  __VERIFIER_atomic_end();
  return arg;
}
static void *dies(void *arg) {
  pthread_mutex_lock(&robust);
  return arg;
}

int main(void) {
  struct timespec wrong = {0, -1}, soon;
  pthread_mutexattr_t attribute;
  pthread_t t, nobody = 0;
  pthread_join(nobody, NULL);
  pthread_tryjoin_np(nobody, NULL);
  pthread_detach(nobody);
  pthread_cancel(nobody);
  pthread_create(&t, NULL, ends, NULL);
  __VERIFIER_atomic_begin();
  x++;
  __VERIFIER_atomic_begin();
  x++;
  __VERIFIER_atomic_end();
  __VERIFIER_atomic_end();
  while (pthread_tryjoin_np(t, NULL) != 0) x++;
  pthread_rwlock_rdlock(&rw);
  pthread_rwlock_timedwrlock(&rw, &wrong);
  pthread_rwlock_unlock(&rw);
  pthread_mutex_lock(&lock);
  pthread_mutex_timedlock(&lock, &wrong);
  pthread_mutex_unlock(&lock);
  pthread_mutexattr_init(&attribute);
  pthread_mutexattr_setrobust(&attribute, PTHREAD_MUTEX_ROBUST);
  pthread_mutex_init(&robust, &attribute);
  pthread_create(&t, NULL, dies, NULL);
  pthread_join(t, NULL);
  clock_gettime(CLOCK_REALTIME, &soon);
  if (pthread_mutex_lock(&robust) == EOWNERDEAD)
    pthread_cond_timedwait(&cond, &robust, &soon);
  return 0;
}
