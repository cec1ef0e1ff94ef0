/* race: unsafe */
/* A request is counted too late: the device may be stopped by then. */
#include <pthread.h>
#include <stdatomic.h>

int __VERIFIER_nondet_int(void);
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
void __VERIFIER_assume(int);

static int stopping, pending = 1;
static atomic_int stopped;
static int device;

static int enter(void) {
  __VERIFIER_atomic_begin();
  int open = !stopping;
  __VERIFIER_atomic_end();
  __VERIFIER_atomic_begin();
  if (open) pending++;
  __VERIFIER_atomic_end();
  return open;
}

static void leave(void) {
  __VERIFIER_atomic_begin();
  int last = --pending == 0;
  __VERIFIER_atomic_end();
  if (last) stopped = 1;
}

static void *request(void *arg) {
  if (!enter()) return 0;
  int seen = device;
  (void)seen;
  leave();
  return arg;
}

int main(void) {
  pthread_t t;
  while (__VERIFIER_nondet_int()) pthread_create(&t, 0, request, 0);
  __VERIFIER_atomic_begin();
  stopping = 1;
  __VERIFIER_atomic_end();
  leave();
  __VERIFIER_assume(stopped);
  device = 0;
  return 0;
}
