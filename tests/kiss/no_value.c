// all: assert holds
// No value does both.
#include <assert.h>
#include <pthread.h>

unsigned __VERIFIER_nondet_uint(void);

static unsigned x, y;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *writer(void *unused) {
  unsigned v = __VERIFIER_nondet_uint();
  pthread_mutex_lock(&m);
  x = v * 3;
  y = v ^ 0x5a5a5a5a;
  pthread_mutex_unlock(&m);
  return unused;
}

static void *reader(void *unused) {
  pthread_mutex_lock(&m);
  unsigned p = x, q = y;
  pthread_mutex_unlock(&m);
  assert(p != 123456789 || q != (41152264 ^ 0x5a5a5a5a));
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, writer, NULL);
  pthread_create(&b, NULL, reader, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
