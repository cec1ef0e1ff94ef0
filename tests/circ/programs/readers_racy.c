/* race: unsafe */
/* A reader that reads when it is no longer counted. */
#include <pthread.h>

void __VERIFIER_assume(int);
int __VERIFIER_nondet_int(void);

static int writing, readers, x;

static void __VERIFIER_atomic_take_write(void) {
  __VERIFIER_assume(writing == 0 && readers == 0);
  writing = 1;
}
static void __VERIFIER_atomic_take_read(void) {
  __VERIFIER_assume(writing == 0);
  readers++;
}
static void __VERIFIER_atomic_free_write(void) {
  writing = 0;
}
static void __VERIFIER_atomic_free_read(void) {
  readers--;
}

static void *writer(void *arg) {
  __VERIFIER_atomic_take_write();
  x = 3;
  __VERIFIER_atomic_free_write();
  return arg;
}

static void *reader(void *arg) {
  __VERIFIER_atomic_take_read();
  __VERIFIER_atomic_free_read();
  int seen = x;
  (void)seen;
  return arg;
}

int main(void) {
  pthread_t t;
  while (__VERIFIER_nondet_int()) {
    pthread_create(&t, 0, writer, 0);
    pthread_create(&t, 0, reader, 0);
  }
  return 0;
}
