/* safe: the recursion's first step has taken the lock before the last writes. */
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; int x;
static void f(int n, int top) {
  if (n == 0) { x++; return; }
  if (top) pthread_mutex_lock(&m);
  f(n - 1, 0);
  if (top) pthread_mutex_unlock(&m);
}
static void *w(void *p) {
  int d = __VERIFIER_nondet_int();
  if (d < 1 || d > 3) return 0;
  f(d, 1);
  return 0;
}
int main(void) { pthread_t s, t; pthread_create(&s, 0, w, 0); pthread_create(&t, 0, w, 0); pthread_join(s, 0); pthread_join(t, 0); return 0; }
