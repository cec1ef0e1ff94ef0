// all: assert fails
// Loops that wait for a flag are no loops to unwind: the thread stands before what it reads. One after the
// other, four of them.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int turn;
static int value;

static void *other(void *unused) {
  for (int i = 0; i < 2; i++) {
    while (atomic_load(&turn) != 2 * i);
    value += i;
    atomic_store(&turn, 2 * i + 1);
  }
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, other, NULL);
  for (int i = 0; i < 2; i++) {
    while (atomic_load(&turn) != 2 * i + 1);
    value += i;
    atomic_store(&turn, 2 * i + 2);
  }
  assert(value != 2);
  return 0;
}
