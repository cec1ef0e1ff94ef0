/* safe: CAS-lock with owner: inside, the owner is me; ids 1..n by fetch_add, any number (0 is skipped: the id is ORed with 1). */
#include <pthread.h>
#include <stdatomic.h>
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
atomic_int owner; int in;
static void *w(void *a) {
  int me = __VERIFIER_nondet_int() | 1, z = 0;
  if (atomic_compare_exchange_strong(&owner, &z, me)) {
    in++;
    assert(in == 1);
    in--;
    atomic_store(&owner, 0);
  }
  return 0;
}
int main(void) { pthread_t t; while (1) pthread_create(&t, 0, w, 0); }
