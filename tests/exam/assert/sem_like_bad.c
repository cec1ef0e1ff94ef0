/* bad: two are inside at a time. */
#include <pthread.h>
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
extern void __VERIFIER_assume(int);
static int sem = 2, in;
static void *work(void *p) {
  for (;;) {
    __VERIFIER_atomic_begin();
    __VERIFIER_assume(sem > 0);
    sem--;
    __VERIFIER_atomic_end();
    __VERIFIER_atomic_begin();
    in++;
    __VERIFIER_atomic_end();
    __VERIFIER_atomic_begin();
    assert(in <= 1);
    __VERIFIER_atomic_end();
    __VERIFIER_atomic_begin();
    in--;
    __VERIFIER_atomic_end();
    __VERIFIER_atomic_begin();
    sem++;
    __VERIFIER_atomic_end();
  }
}
int main(void) {
  pthread_t t;
  while (__VERIFIER_nondet_int()) pthread_create(&t, 0, work, 0);
  return 0;
}
