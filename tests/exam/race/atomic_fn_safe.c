/* safe: x is touched inside of atomic functions alone. */
#include <pthread.h>
int x;
void __VERIFIER_atomic_add(int k) { x += k; }
int __VERIFIER_atomic_get(void) { return x; }
static void *w(void *p) {
  __VERIFIER_atomic_add(1);
  if (__VERIFIER_atomic_get() > 10) __VERIFIER_atomic_add(-10);
  return 0;
}
int main(void) { pthread_t t; while (1) pthread_create(&t, 0, w, 0); }
