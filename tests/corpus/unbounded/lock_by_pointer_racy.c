// race: unsafe lines 14 — the lock that is taken depends on a value, so two threads may take two
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);

static int data;
static pthread_mutex_t one = PTHREAD_MUTEX_INITIALIZER, two = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *arg) {
  (void)arg;
  pthread_mutex_t *lock = __VERIFIER_nondet_int() ? &one : &two;
  pthread_mutex_lock(lock);
  /* guarded by one of two */
  data++;
  pthread_mutex_unlock(lock);
  return NULL;
}

int main(void) {
  while (__VERIFIER_nondet_int()) {
    pthread_t id;
    pthread_create(&id, NULL, work, NULL);
  }
  return 0;
}
