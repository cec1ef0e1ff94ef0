/* race: safe assert: safe */
#include <assert.h>
#include <pthread.h>

void __VERIFIER_assume(int);
int __VERIFIER_nondet_int(void);
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

static unsigned s, x1, x2, dummy;
static void *reader(void *a) {
  int unset = 1;
  unsigned d1 = 0, d2 = 0;
  for (int i = 0; i < 3; i++) {
    unsigned before, now;
    __VERIFIER_atomic_begin(); before = s; __VERIFIER_atomic_end();
    __VERIFIER_atomic_begin(); d1 = x1; d2 = x2; now = s; __VERIFIER_atomic_end();
    if (before == now) { unset = 0; break; }
  }
  if (!unset) assert(d1 == d2);
  return a;
}
static void *work(void *a) {
  __VERIFIER_atomic_begin();
  s++; x1++; x2++; s++;
  __VERIFIER_atomic_end();
  return a;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, reader, NULL);
  while (1) pthread_create(&t, NULL, work, NULL);
}
