// race: safe — a flag that atomic sections set and clear guards a counter, any number of times
extern void abort(void);
#include <pthread.h>
void assume_abort_if_not(int cond) {
  if (!cond) {
    abort();
  }
}
extern int __VERIFIER_nondet_int();
extern void __VERIFIER_atomic_begin();
extern void __VERIFIER_atomic_end();
int x, N, M;
_Bool lock;
void *thread1(void *_argptr) {
  (void)_argptr;
  for (int i = 0; i < N; i++) {
    __VERIFIER_atomic_begin();
    assume_abort_if_not(!lock);
    lock = 1;
    __VERIFIER_atomic_end();
    x = x + 1;
    __VERIFIER_atomic_begin();
    lock = 0;
    __VERIFIER_atomic_end();
  }
  return 0;
}
void *thread2(void *_argptr) {
  (void)_argptr;
  for (int i = 0; i < M; i++) {
    __VERIFIER_atomic_begin();
    assume_abort_if_not(!lock);
    lock = 1;
    __VERIFIER_atomic_end();
    x = x - 1;
    __VERIFIER_atomic_begin();
    lock = 0;
    __VERIFIER_atomic_end();
  }
  return 0;
}
int main() {
  pthread_t t1, t2;
  N = __VERIFIER_nondet_int();
  M = __VERIFIER_nondet_int();
  x = __VERIFIER_nondet_int();
  pthread_create(&t1, 0, thread1, 0);
  pthread_create(&t2, 0, thread2, 0);
  pthread_join(t1, 0);
  pthread_join(t2, 0);
  return x;
}
