/* safe: each state has one owner. */
#include <pthread.h>
#include <stdatomic.h>
extern int __VERIFIER_nondet_int(void);
static atomic_int state;
static int data;
static void *prod(void *p) {
  for (;;) {
    int e = 0;
    if (!atomic_compare_exchange_strong(&state, &e, 1)) continue;
    data = 1;
    atomic_store(&state, 2);
  }
}
static void *cons(void *p) {
  for (;;) {
    int e = 2;
    if (!atomic_compare_exchange_strong(&state, &e, 3)) continue;
    int v = data;
    (void)v;
    data = 0;
    atomic_store(&state, 0);
  }
}
int main(void) {
  pthread_t t;
  while (__VERIFIER_nondet_int()) {
    pthread_create(&t, 0, prod, 0);
    pthread_create(&t, 0, cons, 0);
  }
  return 0;
}
