/* safe: no square of a 16-bit value plus 1 is divisible by 3 (squares are 0 or 1 mod 3). */
#include <pthread.h>
#include <assert.h>
unsigned v; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
extern unsigned __VERIFIER_nondet_uint(void);
static void *w(void *p) { pthread_mutex_lock(&m); v = __VERIFIER_nondet_uint(); pthread_mutex_unlock(&m); return 0; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, w, 0);
  pthread_mutex_lock(&m);
  unsigned x = v;
  pthread_mutex_unlock(&m);
  x &= 0xffff;
  assert((x * x + 1) % 3 != 0);
  return 0;
}
