/* race: unsafe */
/* Both give the turn away before they raise their flags. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

void __VERIFIER_assume(int);
int __VERIFIER_nondet_int(void);
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

static atomic_int flag0, flag1, turn;
static int data;

static void *first(void *arg) {
  turn = 1;
  flag0 = 1;
  while (flag1 && turn == 1) {
  }
  data++;
  flag0 = 0;
  return arg;
}

static void *second(void *arg) {
  turn = 0;
  flag1 = 1;
  while (flag0 && turn == 0) {
  }
  data++;
  flag1 = 0;
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, first, NULL);
  pthread_create(&b, NULL, second, NULL);
  return 0;
}
