/* safe: x is written where the input's square ends in 7, which no square does. */
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
int x;
static void *w(void *q) {
  unsigned k = (unsigned)__VERIFIER_nondet_int() & 0xfff;
  if (k * k % 10 == 7) x = 1;
  return 0;
}
int main(void) { pthread_t s, t; pthread_create(&s, 0, w, 0); pthread_create(&t, 0, w, 0); pthread_join(s, 0); pthread_join(t, 0); return 0; }
