/* bad: where it ends in 6. */
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
int x;
static void *w(void *q) {
  unsigned k = (unsigned)__VERIFIER_nondet_int() & 0xfff;
  if (k * k % 10 == 6 && k > 4000) x = 1;
  return 0;
}
int main(void) { pthread_t s, t; pthread_create(&s, 0, w, 0); pthread_create(&t, 0, w, 0); pthread_join(s, 0); pthread_join(t, 0); return 0; }
