/* race: safe. An element belongs to who has its flag, for any number of elements and threads. */
/* predicates: owner[] == 0, i == element */
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
    data[i]++;
    atomic_store(&owner[i], 0);
  }
  return arg;
}

int main(void) {
  pthread_t t;
  while (__VERIFIER_nondet_int()) pthread_create(&t, NULL, work, NULL);
}
