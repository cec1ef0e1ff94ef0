// race: safe — a spin lock of assumptions inside of atomic functions
#include <pthread.h>
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
extern void abort(void);
void assume_abort_if_not(int c) {
  if (!c) abort();
}
int m = 0, count = 0;
void __VERIFIER_atomic_acquire(void) {
  assume_abort_if_not(m == 0);
  m = 1;
}
void __VERIFIER_atomic_release(void) {
  assume_abort_if_not(m == 1);
  m = 0;
}
void *thr(void *arg) {
  (void)arg;
  __VERIFIER_atomic_acquire();
  count++;
  count--;
  __VERIFIER_atomic_release();
  return 0;
}
int main(void) {
  pthread_t t[3];
  for (int i = 0; i < 3; i++) pthread_create(&t[i], 0, thr, 0);
  for (int i = 0; i < 3; i++) pthread_join(t[i], 0);
  return count;
}
