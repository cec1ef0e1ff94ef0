/* bad: it writes behind the release. */
#include <pthread.h>
#include <stdatomic.h>
extern int __VERIFIER_nondet_int(void);
static atomic_int version;
static int x;
static void *work(void *p) {
  int v = atomic_load(&version);
  if (v & 1) return 0;
  if (!atomic_compare_exchange_strong(&version, &v, v + 1)) return 0;
  x = 4;
  atomic_store(&version, v + 2);
  x = 5;
  return 0;
}
int main(void) {
  pthread_t t;
  while (__VERIFIER_nondet_int()) pthread_create(&t, 0, work, 0);
  return 0;
}
