// all: assert holds
// An array that is too large to be looked at element by element, and no number that is no multiple of three.
#include <assert.h>
#include <pthread.h>
extern unsigned __VERIFIER_nondet_uint(void);
static int table[700];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void *put(void *u) {
  unsigned i = __VERIFIER_nondet_uint() % 700;
  pthread_mutex_lock(&lock);
  table[i] = (int)i * 3;
  pthread_mutex_unlock(&lock);
  return u;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, put, NULL);
  unsigned k = __VERIFIER_nondet_uint();
  if (k >= 700) return 0;
  pthread_mutex_lock(&lock);
  int seen = table[k];
  pthread_mutex_unlock(&lock);
  assert(seen != 2002);
  return 0;
}
