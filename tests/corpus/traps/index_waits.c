// deadlock: safe — whichever lock of the array it is, it comes second
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);

static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t slot[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};

static void *work(void *arg) {
  int i = __VERIFIER_nondet_int() & 1;
  pthread_mutex_lock(&gate);
  pthread_mutex_lock(&slot[i]);
  pthread_mutex_unlock(&slot[i]);
  pthread_mutex_unlock(&gate);
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
