/* bad: the lock is free in between. */
#include <pthread.h>
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int a = 50, b = 50;
static void *work(void *p) {
  for (int i = 0; i < 10; i++) {
    int k = __VERIFIER_nondet_int();
    pthread_mutex_lock(&m);
    if (k > 0 && k <= a) {
      a -= k;
      pthread_mutex_unlock(&m);
      pthread_mutex_lock(&m);
      b += k;
    }
    pthread_mutex_unlock(&m);
  }
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, work, 0);
  pthread_create(&t, 0, work, 0);
  pthread_mutex_lock(&m);
  assert(a + b == 100);
  pthread_mutex_unlock(&m);
  return 0;
}
