// kiss 0: race stoppingFlag; assert holds
// kiss 1: race stoppingFlag stoppingEvent stopped; assert fails
// The driver of the paper's figure 2, after its text: a stop routine and an add routine share a device.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
void __VERIFIER_assume(int);

struct device {
  int pendingIo, stoppingFlag, stoppingEvent;
};

static int stopped;

static int increment(struct device *d) {
  if (d->stoppingFlag) return -1;
  __VERIFIER_atomic_begin();
  d->pendingIo++;
  __VERIFIER_atomic_end();
  return 0;
}

static void decrement(struct device *d) {
  __VERIFIER_atomic_begin();
  int left = --d->pendingIo;
  __VERIFIER_atomic_end();
  if (left == 0) d->stoppingEvent = 1;
}

static void *stop(void *argument) {
  struct device *d = argument;
  d->stoppingFlag = 1;
  decrement(d);
  __VERIFIER_assume(d->stoppingEvent);
  stopped = 1;
  return NULL;
}

static void add(struct device *d) {
  if (increment(d) == 0) assert(!stopped);
  decrement(d);
}

int main(void) {
  pthread_t t;
  struct device *d = malloc(sizeof *d);
  if (!d) return 1;
  d->pendingIo = 1;
  d->stoppingFlag = d->stoppingEvent = 0;
  pthread_create(&t, NULL, stop, d);
  add(d);
  return 0;
}
