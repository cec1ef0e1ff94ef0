/* race: unsafe. Another structure is written, as well. */
#include <pthread.h>
#include <stdatomic.h>

int __VERIFIER_nondet_int(void);
unsigned __VERIFIER_nondet_uint(void);

static struct {
  atomic_int busy;
  int value;
} slots[16];

static void *work(void *arg) {
  for (;;) {
    unsigned i = __VERIFIER_nondet_uint() % 16;
    if (atomic_exchange(&slots[i].busy, 1)) continue;
    slots[i].value = slots[i ^ 1].value + 1;
    atomic_store(&slots[i].busy, 0);
  }
  return arg;
}

int main(void) {
  pthread_t t;
  while (__VERIFIER_nondet_int()) pthread_create(&t, NULL, work, NULL);
}
