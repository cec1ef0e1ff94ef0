/* race: unsafe */
/* The writer looks, and then takes the word. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

void __VERIFIER_assume(int);
int __VERIFIER_nondet_int(void);
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

static atomic_uint word;
static int data;

static void *work(void *arg) {
  if (__VERIFIER_nondet_int()) {
    if (word != 0) return arg;
    word = 0x80000000u;
    data++;
    word = 0;
  }
  return arg;
}

int main(void) {
  pthread_t t;
  while (__VERIFIER_nondet_int()) pthread_create(&t, NULL, work, NULL);
  return 0;
}
