/* bad: it writes behind the release. */
#include <pthread.h>
#include <stdatomic.h>
extern int __VERIFIER_nondet_int(void);
enum { N = 4 };
static atomic_int used[N];
static int d[N];
static void *work(void *p) {
  for (int i = 0; i < N; i++) {
    int e = 0;
    if (atomic_compare_exchange_strong(&used[i], &e, 1)) {
      d[i]++;
      atomic_store(&used[i], 0);
      d[i] = 0;
      return 0;
    }
  }
  return 0;
}
int main(void) {
  pthread_t t;
  while (__VERIFIER_nondet_int()) pthread_create(&t, 0, work, 0);
  return 0;
}
