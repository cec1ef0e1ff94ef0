// assert: safe — nothing comes behind the end of the program
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

int __VERIFIER_nondet_int(void);

static void *work(void *unused) {
  exit(0);
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, work, NULL);
  pthread_join(t, NULL);
  assert(0 == __VERIFIER_nondet_int());
  return 0;
}
