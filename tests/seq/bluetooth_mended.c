// The driver of section 2 of the KISS paper (its figure 2), written as a C program: one thread adds a
// device, another stops it. Mended: the counter is incremented before the flag is looked at, and decremented in any case.
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

extern void __VERIFIER_assume(int);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

struct device {
  int pendingIo;
  bool stoppingFlag;
  bool stoppingEvent;
};

static bool stopped;

static int increment(struct device *e) {
  __VERIFIER_atomic_begin();
  e->pendingIo = e->pendingIo + 1;
  __VERIFIER_atomic_end();
  return e->stoppingFlag ? -1 : 0;
}

static void decrement(struct device *e) {
  int pending;
  __VERIFIER_atomic_begin();
  e->pendingIo = e->pendingIo - 1;
  pending = e->pendingIo;
  __VERIFIER_atomic_end();
  if (pending == 0) e->stoppingEvent = true;
}

static void add(struct device *e) {
  int status = increment(e);
  if (status == 0) {
    // the device is used here
    assert(!stopped);
  }
  decrement(e);
}

static void *stop(void *arg) {
  struct device *e = arg;
  e->stoppingFlag = true;
  decrement(e);
  __VERIFIER_assume(e->stoppingEvent);
  // the resources are released here
  stopped = true;
  return NULL;
}

int main(void) {
  pthread_t thread;
  struct device *e = malloc(sizeof *e);
  e->pendingIo = 1;
  e->stoppingFlag = false;
  e->stoppingEvent = false;
  stopped = false;
  pthread_create(&thread, NULL, stop, e);
  add(e);
  pthread_exit(NULL);
}
