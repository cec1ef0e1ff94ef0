/* bad: 48271 * v == 1234567890 mod 2^32 has a solution, as 48271 is odd. */
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
  assert(x * 48271u != 1234567890u);
  return 0;
}
