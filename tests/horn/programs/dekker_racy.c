/* race: unsafe */
/* Dekker's algorithm, but the second does not look again when it is his turn; the first comes a second time. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

void __VERIFIER_assume(int);
int __VERIFIER_nondet_int(void);
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

static atomic_bool wants0, wants1;
static atomic_int turn;
static int data;

static void enter_and_leave(void) {
  wants0 = true;
  while (wants1) {
    if (turn != 0) {
      wants0 = false;
      while (turn != 0) {
      }
      wants0 = true;
    }
  }
  data++;
  turn = 1;
  wants0 = false;
}

static void *first(void *arg) {
  enter_and_leave();
  enter_and_leave();
  return arg;
}

static void *second(void *arg) {
  wants1 = true;
  if (wants0) {
    if (turn != 1) {
      wants1 = false;
      while (turn != 1) {
      }
      wants1 = true;
    }
  }
  data++;
  turn = 0;
  wants1 = false;
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, first, NULL);
  pthread_create(&b, NULL, second, NULL);
  return 0;
}
