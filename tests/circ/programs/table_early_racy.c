/* race: unsafe. The flag is given back too early. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

int __VERIFIER_nondet_int(void);

typedef struct {
  atomic_int owner;
  int data;
} Slot;

enum { N = 100 };
static Slot *table;

static void *work(void *arg) {
  unsigned i = (unsigned)__VERIFIER_nondet_int() % N;
  int nobody = 0;
  if (atomic_compare_exchange_strong(&table[i].owner, &nobody, 1)) {
    atomic_store(&table[i].owner, 0);
    table[i].data++;
  }
  return arg;
}

int main(void) {
  pthread_t t;
  table = calloc(N, sizeof *table);
  if (!table) return 1;
  while (__VERIFIER_nondet_int()) pthread_create(&t, NULL, work, NULL);
}
