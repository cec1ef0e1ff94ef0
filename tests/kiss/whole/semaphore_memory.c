// assert: open — a semaphore that is written as memory
#include <assert.h>
#include <semaphore.h>
#include <string.h>

int __VERIFIER_nondet_int(void);

static sem_t s;
int main(void) {
  sem_init(&s, 0, 1);
  if (__VERIFIER_nondet_int()) memset(&s, 0, sizeof s);
  assert(sem_trywait(&s) == 0);
  return 0;
}
