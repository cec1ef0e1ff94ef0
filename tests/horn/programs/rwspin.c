/* race: safe */
/* Readers are counted, a writer waits for none; the count is assumed not to wrap. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

void __VERIFIER_assume(int);
int __VERIFIER_nondet_int(void);
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

static atomic_uint readers; /* the highest bit: there is a writer */
static int data;

static void *work(void *arg) {
  unsigned free = 0;
  if (!atomic_compare_exchange_strong(&readers, &free, 0x80000000u)) return arg;
  data++;
  readers = 0;
  return arg;
}

int main(void) {
  pthread_t t;
  while (__VERIFIER_nondet_int()) pthread_create(&t, NULL, work, NULL);
  return 0;
}
