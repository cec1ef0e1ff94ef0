/* race: safe assert: safe */
#include <assert.h>
#include <pthread.h>

void __VERIFIER_assume(int);
int __VERIFIER_nondet_int(void);
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

static unsigned max = 0x80000000u;
static void __VERIFIER_atomic_cas(unsigned *v, unsigned e, unsigned u, unsigned *r) {
  if (*v == e) {
    *v = u;
    *r = 1;
  } else {
    *r = 0;
  }
}
static unsigned __VERIFIER_atomic_max(void) { return max; }
static void find(unsigned offset) {
  unsigned c, cret, e = __VERIFIER_nondet_int();
  __VERIFIER_assume(e + offset > e);
  while (1) {
    c = __VERIFIER_atomic_max();
    if (e + offset > c) {
      __VERIFIER_atomic_cas(&max, c, e + offset, &cret);
      if (cret) break;
    } else {
      break;
    }
  }
  c = __VERIFIER_atomic_max();
  assert(e + offset <= c);
}
static void *work(void *a) {
  unsigned o = __VERIFIER_nondet_int();
  __VERIFIER_assume(o > 0);
  find(o);
  return a;
}

int main(void) {
  pthread_t t;
  while (1) pthread_create(&t, NULL, work, NULL);
}
