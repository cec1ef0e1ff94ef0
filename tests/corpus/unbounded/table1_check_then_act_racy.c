// race: unsafe lines 14 21 — any number of threads check without the lock under which others write
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);

static int data;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

enum { GOOD, BAD };

static void *act(void *arg) {
  (void)arg;
  pthread_mutex_lock(&lock);
  data = 1;
  pthread_mutex_unlock(&lock);
  return NULL;
}

static void *check(void *arg) {
  int *result = arg;
  if (data > 0)
    *result = GOOD;
  else
    *result = BAD;
  return NULL;
}

int main(void) {
  while (__VERIFIER_nondet_int()) {
    pthread_t a;
    pthread_create(&a, NULL, act, NULL);
  }
  int result = 0;
  pthread_t b;
  pthread_create(&b, NULL, check, &result);
  pthread_join(b, NULL);
  return 0;
}
