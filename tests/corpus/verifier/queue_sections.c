// race: safe — a queue of unknown size in atomic sections
extern void abort(void);
#include <pthread.h>
#include <stdlib.h>
void assume_abort_if_not(int cond) {
  if (!cond) {
    abort();
  }
}
extern int __VERIFIER_nondet_int();
extern _Bool __VERIFIER_nondet_bool();
extern void __VERIFIER_atomic_begin();
extern void __VERIFIER_atomic_end();
int *q;
int q_front, q_back, n, N, i, j, d1, d2;
_Bool flag1, flag2;
void *thread1(void *_argptr) {
  (void)_argptr;
  while (i < N) {
    d1 = __VERIFIER_nondet_int();
    __VERIFIER_atomic_begin();
    assume_abort_if_not(q_back >= 0 && q_back < n);
    q[q_back] = d1;
    q_back++;
    __VERIFIER_atomic_end();
    i++;
  }
  __VERIFIER_atomic_begin();
  flag1 = 1;
  __VERIFIER_atomic_end();
  return 0;
}
void *thread2(void *_argptr) {
  (void)_argptr;
  _Bool cond;
  __VERIFIER_atomic_begin();
  cond = !flag1 || q_front < q_back;
  __VERIFIER_atomic_end();
  while (cond) {
    __VERIFIER_atomic_begin();
    if (q_front < q_back) {
      d2 = q[q_front];
      q_front++;
    }
    __VERIFIER_atomic_end();
    __VERIFIER_atomic_begin();
    cond = !flag1 || q_front < q_back;
    __VERIFIER_atomic_end();
  }
  return 0;
}
int main() {
  pthread_t t1, t2;
  N = __VERIFIER_nondet_int();
  n = __VERIFIER_nondet_int();
  q_front = __VERIFIER_nondet_int();
  q_back = q_front;
  assume_abort_if_not(n >= 0);
  q = malloc(sizeof(int) * n);
  pthread_create(&t1, 0, thread1, 0);
  pthread_create(&t2, 0, thread2, 0);
  pthread_join(t1, 0);
  pthread_join(t2, 0);
  return d1 + d2;
}
