// all: deadlock
// The second thread takes the locks the other way round for one number only.
#include <pthread.h>

unsigned __VERIFIER_nondet_uint(void);

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static int n;

static void *first(void *unused) {
  pthread_mutex_lock(&a);
  pthread_mutex_lock(&b);
  n++;
  pthread_mutex_unlock(&b);
  pthread_mutex_unlock(&a);
  return unused;
}

static void *second(void *unused) {
  if (__VERIFIER_nondet_uint() * 7 != 4242421) return unused;
  pthread_mutex_lock(&b);
  pthread_mutex_lock(&a);
  n++;
  pthread_mutex_unlock(&a);
  pthread_mutex_unlock(&b);
  return unused;
}

int main(void) {
  pthread_t x, y;
  pthread_create(&x, NULL, first, NULL);
  pthread_create(&y, NULL, second, NULL);
  pthread_join(x, NULL);
  pthread_join(y, NULL);
  return 0;
}
