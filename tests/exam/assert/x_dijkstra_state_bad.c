/* bad: the client overwrites its request while the server computes. */
#include <pthread.h>
#include <stdatomic.h>
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
atomic_int st; int req, rep;
static void *srv(void *p) {
  while (1) { if (atomic_load(&st) == 1) { rep = (int)((unsigned)req * 2u); atomic_store(&st, 2); } }
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, srv, 0);
  while (1) {
    int q = __VERIFIER_nondet_int();
    req = q; atomic_store(&st, 1);
    if (q == 5) req = 6;
    while (atomic_load(&st) != 2) ;
    assert(rep == (int)((unsigned)q * 2u));
    atomic_store(&st, 0);
  }
}
