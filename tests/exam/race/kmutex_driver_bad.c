/* bad: the release path unlocks on the error branch before it resets the buffer. */
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
struct mutex { pthread_mutex_t m; };
#define DEFINE_MUTEX(n) struct mutex n = { PTHREAD_MUTEX_INITIALIZER }
static void mutex_lock(struct mutex *l) { pthread_mutex_lock(&l->m); }
static void mutex_unlock(struct mutex *l) { pthread_mutex_unlock(&l->m); }
static DEFINE_MUTEX(big);
static char buf[64]; static int len;
static int my_write(int n) {
  int r = 0;
  mutex_lock(&big);
  if (n < 0 || n >= 64) { r = -1; goto out; }
  buf[n] = 1; len = n;
out:
  mutex_unlock(&big);
  return r;
}
static int my_release(int err) {
  mutex_lock(&big);
  if (err) { mutex_unlock(&big); len = 0; return -1; }
  mutex_unlock(&big);
  return 0;
}
static void *caller(void *p) {
  switch (__VERIFIER_nondet_int()) {
  case 0: my_write(__VERIFIER_nondet_int()); break;
  case 1: my_release(__VERIFIER_nondet_int()); break;
  }
  return 0;
}
int main(void) { pthread_t t; while (1) pthread_create(&t, 0, caller, 0); }
