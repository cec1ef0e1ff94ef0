// race: safe — the lock of Peterson, each step in an atomic section
#include <pthread.h>
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
int flag1, flag2, turn, x;
void *thr1(void *p) {
  (void)p;
  __VERIFIER_atomic_begin();
  flag1 = 1;
  __VERIFIER_atomic_end();
  __VERIFIER_atomic_begin();
  turn = 1;
  __VERIFIER_atomic_end();
  __VERIFIER_atomic_begin();
  int f21 = flag2;
  __VERIFIER_atomic_end();
  __VERIFIER_atomic_begin();
  int t1 = turn;
  __VERIFIER_atomic_end();
  while (f21 == 1 && t1 == 1) {
    __VERIFIER_atomic_begin();
    f21 = flag2;
    __VERIFIER_atomic_end();
    __VERIFIER_atomic_begin();
    t1 = turn;
    __VERIFIER_atomic_end();
  }
  x = 0;
  __VERIFIER_atomic_begin();
  flag1 = 0;
  __VERIFIER_atomic_end();
  return 0;
}
void *thr2(void *p) {
  (void)p;
  __VERIFIER_atomic_begin();
  flag2 = 1;
  __VERIFIER_atomic_end();
  __VERIFIER_atomic_begin();
  turn = 0;
  __VERIFIER_atomic_end();
  __VERIFIER_atomic_begin();
  int f = flag1;
  __VERIFIER_atomic_end();
  __VERIFIER_atomic_begin();
  int t = turn;
  __VERIFIER_atomic_end();
  while (f == 1 && t == 0) {
    __VERIFIER_atomic_begin();
    f = flag1;
    __VERIFIER_atomic_end();
    __VERIFIER_atomic_begin();
    t = turn;
    __VERIFIER_atomic_end();
  }
  x = 1;
  __VERIFIER_atomic_begin();
  flag2 = 0;
  __VERIFIER_atomic_end();
  return 0;
}
int main(void) {
  pthread_t t1, t2;
  pthread_create(&t1, 0, thr1, 0);
  pthread_create(&t2, 0, thr2, 0);
  pthread_join(t1, 0);
  pthread_join(t2, 0);
  return 0;
}
