/* bad: the swap lets go of the lock in its middle. */
#include <pthread.h>
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; int a[4] = { 4, 3, 2, 1 };
static void *w(void *p) {
  unsigned k = (unsigned)__VERIFIER_nondet_int() % 3;
  pthread_mutex_lock(&m);
  if (a[k] > a[k + 1]) {
    int t = a[k]; a[k] = a[k + 1];
    pthread_mutex_unlock(&m); pthread_mutex_lock(&m);
    a[k + 1] = t;
  }
  pthread_mutex_unlock(&m);
  return 0;
}
int main(void) {
  pthread_t t[3];
  for (int i = 0; i < 3; i++) pthread_create(&t[i], 0, w, 0);
  pthread_mutex_lock(&m);
  assert(a[0] + a[1] + a[2] + a[3] == 10);
  pthread_mutex_unlock(&m);
  return 0;
}
