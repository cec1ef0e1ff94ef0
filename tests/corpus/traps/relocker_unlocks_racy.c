// race: unsafe lines 20; deadlock: unsafe — a thread that may take a lock twice may also release it without holding it
#include <pthread.h>

int __VERIFIER_nondet_int(void);

static int value;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *arg) {
  if (__VERIFIER_nondet_int()) {
    pthread_mutex_lock(&lock);
    pthread_mutex_lock(&lock);
  }
  pthread_mutex_unlock(&lock);
  return arg;
}

static void *add(void *arg) {
  pthread_mutex_lock(&lock);
  value++;
  pthread_mutex_unlock(&lock);
  return arg;
}

int main(void) {
  pthread_t a, b, c;
  pthread_create(&a, NULL, work, NULL);
  pthread_create(&b, NULL, add, NULL);
  pthread_create(&c, NULL, add, NULL);
  pthread_join(b, NULL);
  pthread_join(c, NULL);
  pthread_join(a, NULL);
  return 0;
}
