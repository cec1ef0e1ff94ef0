/* race: safe */
/* A flag hands data over and back, each time with the other sense. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

void __VERIFIER_assume(int);
int __VERIFIER_nondet_int(void);
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

static atomic_bool sense;
static int data;

static void *other(void *arg) {
  while (__VERIFIER_nondet_int()) {
    while (!sense) {
    }
    data++;
    sense = false;
  }
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, other, NULL);
  for (;;) {
    while (sense) {
    }
    data++;
    sense = true;
  }
}
