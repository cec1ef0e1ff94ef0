/* safe: every access to max is atomic. */
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
int max;
static void *w(void *a) {
  int v = __VERIFIER_nondet_int();
  int old = __atomic_load_n(&max, __ATOMIC_SEQ_CST);
  while (v > old && !__atomic_compare_exchange_n(&max, &old, v, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)) ;
  return 0;
}
int main(void) { pthread_t t; for (;;) pthread_create(&t, 0, w, 0); }
