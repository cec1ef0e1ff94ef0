/* race: not safe */
/* With 257 threads two of them have the same ticket. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

void __VERIFIER_assume(int);
int __VERIFIER_nondet_int(void);
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

static atomic_uchar next, serving;
static int data;

static void *work(void *arg) {
  unsigned char mine = atomic_fetch_add(&next, 1);
  while (serving != mine) {
  }
  data++;
  atomic_fetch_add(&serving, 1);
  return arg;
}

int main(void) {
  pthread_t t;
  while (__VERIFIER_nondet_int()) pthread_create(&t, NULL, work, NULL);
  return 0;
}
