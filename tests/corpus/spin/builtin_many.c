// race: safe — any number of threads under a spin lock of builtins
#include <pthread.h>
static volatile int lock;
static int shared;
static void acquire(void) {
  while (__sync_lock_test_and_set(&lock, 1)) {
  }
}
static void release(void) {
  __sync_lock_release(&lock);
}
extern int __VERIFIER_nondet_int(void);
void *w(void *p) {
  (void)p;
  for (int i = 0; i < 2; i++) {
    acquire();
    shared++;
    release();
  }
  return 0;
}
int main(void) {
  pthread_t a;
  int n = __VERIFIER_nondet_int();
  for (int i = 0; i < n; i++) pthread_create(&a, 0, w, 0);
  acquire();
  shared--;
  release();
  return 0;
}
