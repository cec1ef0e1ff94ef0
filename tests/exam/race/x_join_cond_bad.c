/* bad: main reads x also where it has not. */
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
int x;
static void *w(void *p) { x = 7; return 0; }
int main(void) {
  pthread_t t; int r = 0, k = __VERIFIER_nondet_int();
  pthread_create(&t, 0, w, 0);
  if (k > 1000) pthread_join(t, 0);
  if (k > 999) r = x;
  return r;
}
