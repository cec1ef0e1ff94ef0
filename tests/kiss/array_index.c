// all: assert fails
// An element that is chosen by an input, written as a word and read as bytes.
#include <assert.h>
#include <pthread.h>

unsigned __VERIFIER_nondet_uint(void);

static union {
  unsigned word[8];
  unsigned char byte[32];
} shared;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *writes(void *unused) {
  unsigned i = __VERIFIER_nondet_uint() % 8, v = __VERIFIER_nondet_uint();
  pthread_mutex_lock(&m);
  shared.word[i] = v;
  pthread_mutex_unlock(&m);
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, writes, NULL);
  pthread_create(&b, NULL, writes, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert(shared.byte[13] != 0x41 || shared.byte[22] != 0x42);
  return 0;
}
