/* race: safe. A bit for each element of a pool. */
#include <pthread.h>
#include <stdatomic.h>

int __VERIFIER_nondet_int(void);
unsigned __VERIFIER_nondet_uint(void);

static atomic_uint map;
static int pool[32];

static void *work(void *arg) {
  for (;;) {
    unsigned i = __VERIFIER_nondet_uint() % 32, bit = 1u << i;
    if (atomic_fetch_or(&map, bit) & bit) continue;
    pool[i]++;
    atomic_fetch_and(&map, ~bit);
  }
  return arg;
}

int main(void) {
  pthread_t t;
  while (__VERIFIER_nondet_int()) pthread_create(&t, NULL, work, NULL);
}
