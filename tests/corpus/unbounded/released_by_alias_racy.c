// race: unsafe lines 16 — the lock is given back through another name, before the access
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);

static int data;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER, other = PTHREAD_MUTEX_INITIALIZER;

static void give_back(pthread_mutex_t **which, int i) { pthread_mutex_unlock(which[i]); }

static void *work(void *arg) {
  pthread_mutex_t *both[2] = {&lock, &other};
  (void)arg;
  pthread_mutex_lock(&lock);
  give_back(both, __VERIFIER_nondet_int() & 0);
  data++;
  return NULL;
}

int main(void) {
  while (__VERIFIER_nondet_int()) {
    pthread_t id;
    pthread_create(&id, NULL, work, NULL);
  }
  return 0;
}
