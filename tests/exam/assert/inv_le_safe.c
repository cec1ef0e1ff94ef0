/* safe: y goes up before x in one atomic step, so x <= y always; both stop short of overflow. */
#include <pthread.h>
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
int x, y;
static void *w(void *p) {
  while (__VERIFIER_nondet_int()) {
    __VERIFIER_atomic_begin(); if (y < 1000000) { y++; x++; } __VERIFIER_atomic_end();
  }
  return 0;
}
static void *c(void *p) {
  while (1) { __VERIFIER_atomic_begin(); assert(x <= y); __VERIFIER_atomic_end(); }
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, c, 0);
  while (1) pthread_create(&t, 0, w, 0);
}
