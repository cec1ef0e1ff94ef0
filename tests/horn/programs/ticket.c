/* race: safe */
/* A ticket lock for any number of threads; the counter is assumed not to wrap. */
#include <pthread.h>
#include <stdatomic.h>

void __VERIFIER_assume(int);
int __VERIFIER_nondet_int(void);
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

static unsigned next, serving;
static int data;

static unsigned draw(void) {
  __VERIFIER_atomic_begin();
  unsigned mine = next;
  __VERIFIER_assume(mine != 0xffffffffu);
  next = mine + 1;
  __VERIFIER_atomic_end();
  return mine;
}

static unsigned look(void) {
  __VERIFIER_atomic_begin();
  unsigned now = serving;
  __VERIFIER_atomic_end();
  return now;
}

static void leave(void) {
  __VERIFIER_atomic_begin();
  serving++;
  __VERIFIER_atomic_end();
}

static void *work(void *arg) {
  unsigned mine = draw();
  while (look() != mine) {
  }
  data++;
  leave();
  return arg;
}

int main(void) {
  pthread_t t;
  while (__VERIFIER_nondet_int()) pthread_create(&t, NULL, work, NULL);
  return 0;
}
