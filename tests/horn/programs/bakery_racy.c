/* race: unsafe */
/* The bakery where reading the other's number and drawing are two steps: both may have the same. */
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

static void *first(void *arg) {
  while (__VERIFIER_nondet_int()) {
    unsigned other = n1;
    __VERIFIER_assume(other < 0xffffffffu);
    n0 = other + 1;
    while (n1 != 0 && n1 < n0) {
    }
    data++;
    n0 = 0;
  }
  return arg;
}

static void *second(void *arg) {
  while (__VERIFIER_nondet_int()) {
    unsigned other = n0;
    __VERIFIER_assume(other < 0xffffffffu);
    n1 = other + 1;
    while (n0 != 0 && n0 < n1) {
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
