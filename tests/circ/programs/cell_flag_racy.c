/* race: unsafe. The flag is given back too early. */
#include <pthread.h>
#include <stdatomic.h>

int __VERIFIER_nondet_int(void);

enum { N = 100 };
static atomic_int owner[N];
static int data[N];

static void *work(void *arg) {
  for (;;) {
    int i = __VERIFIER_nondet_int(), nobody = 0;
    if (i < 0 || i >= N) break;
    if (!atomic_compare_exchange_strong(&owner[i], &nobody, 1)) continue;
    atomic_store(&owner[i], 0);
    data[i]++;
  }
  return arg;
}

int main(void) {
  pthread_t t;
  while (__VERIFIER_nondet_int()) pthread_create(&t, NULL, work, NULL);
}
