/* race: unsafe */
#include <assert.h>
#include <pthread.h>

void __VERIFIER_assume(int);
int __VERIFIER_nondet_int(void);
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

static int lock;
static void __VERIFIER_atomic_tas(int *r) {
  *r = lock;
  lock = 1;
}
static void acquire(void) {
  int cond;
  __VERIFIER_atomic_tas(&cond);
  while (cond == 1) __VERIFIER_atomic_tas(&cond);
}
static void unlock(void) { lock = 0; }

static int c;
static void *work(void *a) {
  while (1) {
    acquire();
    c++;
    c--;
    unlock();
  }
  return a;
}

int main(void) {
  pthread_t t;
  while (1) pthread_create(&t, NULL, work, NULL);
}
