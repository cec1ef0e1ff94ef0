/* race: safe */
/* Lamport's bakery for two threads, where drawing a number is one step, and so is comparing them; numbers grow without end. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

void __VERIFIER_assume(int);
int __VERIFIER_nondet_int(void);
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

static atomic_uint n0, n1; /* 0: nothing is drawn */
static int data;

static bool is_behind(atomic_uint *mine, atomic_uint *other) {
  __VERIFIER_atomic_begin();
  bool behind = *other != 0 && *other < *mine;
  __VERIFIER_atomic_end();
  return behind;
}

static void *first(void *arg) {
  while (__VERIFIER_nondet_int()) {
    __VERIFIER_atomic_begin();
    unsigned other = n1;
    __VERIFIER_assume(other < 0xffffffffu);
    n0 = other + 1;
    __VERIFIER_atomic_end();
    while (is_behind(&n0, &n1)) {
    }
    data++;
    n0 = 0;
  }
  return arg;
}

static void *second(void *arg) {
  while (__VERIFIER_nondet_int()) {
    __VERIFIER_atomic_begin();
    unsigned other = n0;
    __VERIFIER_assume(other < 0xffffffffu);
    n1 = other + 1;
    __VERIFIER_atomic_end();
    while (is_behind(&n1, &n0)) {
    }
    data++;
    n1 = 0;
  }
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, first, NULL);
  pthread_create(&b, NULL, second, NULL);
  return 0;
}
