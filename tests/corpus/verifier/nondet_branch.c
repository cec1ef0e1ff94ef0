// race: safe — whatever the unknown value is, the access is guarded
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);

static int value;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *arg) {
  int n = __VERIFIER_nondet_int();
  if (n > 0) {
    pthread_mutex_lock(&lock);
    value = 1;
    pthread_mutex_unlock(&lock);
  } else if (n < 0) {
    pthread_mutex_lock(&lock);
    value = -1;
    pthread_mutex_unlock(&lock);
  }
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, work, NULL);
  pthread_create(&b, NULL, work, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return value > 1;
}
