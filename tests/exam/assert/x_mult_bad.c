/* bad: 4 is possible. */
#include <pthread.h>
#include <assert.h>
int x = 1;
void __VERIFIER_atomic_dbl(void) { x *= 2; }
void __VERIFIER_atomic_inc(void) { x += 1; }
static void *a(void *p) { __VERIFIER_atomic_dbl(); return 0; }
static void *b(void *p) { __VERIFIER_atomic_inc(); return 0; }
int main(void) {
  pthread_t s, t; pthread_create(&s, 0, a, 0); pthread_create(&t, 0, b, 0); pthread_join(s, 0); pthread_join(t, 0);
  assert(x == 3);
  return 0;
}
