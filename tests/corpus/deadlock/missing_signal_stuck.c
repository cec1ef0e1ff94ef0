// deadlock: unsafe — on one path the worker ends without telling that it is done
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);

static int done;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;

static void *worker(void *arg) {
  if (__VERIFIER_nondet_int() == 0) return arg;
  pthread_mutex_lock(&lock);
  done = 1;
  pthread_cond_signal(&cond);
  pthread_mutex_unlock(&lock);
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, worker, NULL);
  pthread_mutex_lock(&lock);
  while (!done) pthread_cond_wait(&cond, &lock);
  pthread_mutex_unlock(&lock);
  pthread_join(t, NULL);
  return 0;
}
