// race: safe — an unknown number of threads, one lock
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);

static int value;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *arg) {
  pthread_mutex_lock(&lock);
  value++;
  pthread_mutex_unlock(&lock);
  return arg;
}

int main(void) {
  int n = __VERIFIER_nondet_int() % 10;
  for (int i = 0; i < n; i++) {
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    pthread_detach(t);
  }
  return 0;
}
