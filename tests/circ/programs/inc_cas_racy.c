/* race: unsafe */
#include <assert.h>
#include <pthread.h>

void __VERIFIER_assume(int);
int __VERIFIER_nondet_int(void);
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

static unsigned value;
static void __VERIFIER_atomic_cas(unsigned *v, unsigned e, unsigned u, unsigned *r) {
  if (*v == e) {
    *v = u;
    *r = 1;
  } else {
    *r = 0;
  }
}
static unsigned __VERIFIER_atomic_read(unsigned *v) { return *v; }

static void *work(void *a) {
  unsigned v, vn, ok;
  do {
    v = value;
    if (v == 0u - 1) return NULL;
    vn = v + 1;
    __VERIFIER_atomic_cas(&value, v, vn, &ok);
  } while (ok == 0);
  return a;
}

int main(void) {
  pthread_t t;
  while (1) pthread_create(&t, NULL, work, NULL);
}
