/* bad: x goes up in a step of its own before y. */
#include <pthread.h>
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
int x, y;
static void *w(void *p) {
  while (__VERIFIER_nondet_int()) {
    __VERIFIER_atomic_begin(); if (x < 1000000) x++; __VERIFIER_atomic_end();
    __VERIFIER_atomic_begin(); if (y < 1000000) y++; __VERIFIER_atomic_end();
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
