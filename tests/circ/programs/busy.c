/* race: safe assert: safe */
#include <assert.h>
#include <pthread.h>

void __VERIFIER_assume(int);
int __VERIFIER_nondet_int(void);
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

static int block, busy, inode, m_inode, m_busy;
static void __VERIFIER_atomic_acquire(int *m) {
  __VERIFIER_assume(*m == 0);
  *m = 1;
}
static void __VERIFIER_atomic_release(int *m) {
  assert(*m == 1);
  *m = 0;
}
static void *allocator(void *a) {
  __VERIFIER_atomic_acquire(&m_inode);
  if (inode == 0) {
    __VERIFIER_atomic_acquire(&m_busy);
    busy = 1;
    __VERIFIER_atomic_release(&m_busy);
    inode = 1;
  }
  block = 1;
  assert(block == 1);
  __VERIFIER_atomic_release(&m_inode);
  return a;
}
static void *de_allocator(void *a) {
  __VERIFIER_atomic_acquire(&m_busy);
  if (busy == 0) {
    block = 0;
    assert(block == 0);
  }
  __VERIFIER_atomic_release(&m_busy);
  return a;
}
static void *work(void *a) { return __VERIFIER_nondet_int() ? allocator(a) : de_allocator(a); }

int main(void) {
  pthread_t t1, t2;
  __VERIFIER_assume(inode == busy);
  pthread_create(&t1, NULL, allocator, NULL);
  pthread_create(&t2, NULL, de_allocator, NULL);
  return 0;
}
