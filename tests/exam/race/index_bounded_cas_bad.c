/* bad: load and store are two steps. */
#include <pthread.h>
#include <stdatomic.h>
extern int __VERIFIER_nondet_int(void);
enum { N = 100 };
static int a[N];
static atomic_int next;
static void *work(void *p) {
  int i = atomic_load(&next);
  atomic_store(&next, i + 1);
  if (i >= 0 && i < N) a[i] = 1;
  return 0;
}
int main(void) {
  pthread_t t;
  while (__VERIFIER_nondet_int()) pthread_create(&t, 0, work, 0);
  return 0;
}
