// race: safe — any number of threads check and act under one lock
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);

static int data;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *act(void *arg) {
  (void)arg;
  pthread_mutex_lock(&lock);
  data = 1;
  pthread_mutex_unlock(&lock);
  return NULL;
}

static void *check(void *arg) {
  (void)arg;
  int good = 0;
  pthread_mutex_lock(&lock);
  if (data > 0) good = 1;
  pthread_mutex_unlock(&lock);
  return good ? &data : NULL;
}

int main(void) {
  while (__VERIFIER_nondet_int()) {
    pthread_t id;
    pthread_create(&id, NULL, __VERIFIER_nondet_int() ? act : check, NULL);
  }
  return 0;
}
