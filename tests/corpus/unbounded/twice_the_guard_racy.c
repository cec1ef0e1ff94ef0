// race: unsafe lines 13 24 — main writes the flag without the lock under which all others test it
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);

static int open_, data;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *arg) {
  (void)arg;
  pthread_mutex_lock(&lock);
  /* the flag is read here */
  if (open_) data++;
  pthread_mutex_unlock(&lock);
  return NULL;
}

int main(void) {
  while (__VERIFIER_nondet_int()) {
    pthread_t id;
    pthread_create(&id, NULL, work, NULL);
  }
  /* not guarded */
  open_ = 1;
  return 0;
}
