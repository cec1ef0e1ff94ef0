/* race: unsafe */
/* Two threads may draw the same ticket: reading and adding are two steps. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

void __VERIFIER_assume(int);
int __VERIFIER_nondet_int(void);
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

static atomic_uint next, serving;
static int data;

static void *work(void *arg) {
  unsigned mine = next;
  next = mine + 1;
  while (serving != mine) {
  }
  data++;
  serving++;
  return arg;
}

int main(void) {
  pthread_t t;
  while (__VERIFIER_nondet_int()) pthread_create(&t, NULL, work, NULL);
  return 0;
}
