/* bad: one operation of the table does not. */
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; int dev;
struct ops { void (*f)(int); };
static void inc(int k) { pthread_mutex_lock(&m); dev += k; pthread_mutex_unlock(&m); }
static void clr(int k) { dev = k; }
static const struct ops table[2] = { { inc }, { clr } };
static void *w(void *p) {
  int k = __VERIFIER_nondet_int();
  if (k < 0 || k > 1) return 0;
  table[k].f(k);
  return 0;
}
int main(void) { pthread_t t; while (1) pthread_create(&t, 0, w, 0); }
