/* safe: tickets below the last number are served in turn. */
#include <pthread.h>
#include <stdatomic.h>
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
static atomic_uint next, serving;
static int x;
static void *work(void *p) {
  unsigned t = atomic_load(&next);
  do {
    __VERIFIER_assume(t != 0xffffffffu);
  } while (!atomic_compare_exchange_strong(&next, &t, t + 1));
  while (atomic_load(&serving) != t);
  x++;
  atomic_fetch_add(&serving, 1);
  return 0;
}
int main(void) {
  pthread_t t;
  while (__VERIFIER_nondet_int()) pthread_create(&t, 0, work, 0);
  return 0;
}
