// deadlock: unsafe — a lock that was only tried, one of two, is held while another is waited for
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);

static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t slot[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};

static void *work(void *arg) {
  int i = __VERIFIER_nondet_int() & 1;
  if (pthread_mutex_trylock(&slot[i])) {
    return arg;
  }
  pthread_mutex_lock(&gate);
  pthread_mutex_unlock(&gate);
  pthread_mutex_unlock(&slot[i]);
  return arg;
}

int main(void) {
  pthread_t a;
  pthread_create(&a, NULL, work, NULL);
  pthread_mutex_lock(&gate);
  pthread_mutex_lock(&slot[0]);
  pthread_mutex_unlock(&slot[0]);
  pthread_mutex_unlock(&gate);
  pthread_join(a, NULL);
  return 0;
}
