// assert: unsafe; race: safe — one value of 2^32 and one letter, out of memory that may hold anything
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

extern void __VERIFIER_nondet_memory(void *, size_t);
static struct {
  int key;
  char tag[7];
} input;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int seen;

static void *work(void *arg) {
  pthread_mutex_lock(&lock);
  if (input.key == 123456789 && input.tag[6] == 'x') seen++;
  pthread_mutex_unlock(&lock);
  return arg;
}

int main(void) {
  pthread_t t;
  __VERIFIER_nondet_memory(&input, sizeof input);
  pthread_create(&t, NULL, work, NULL);
  work(NULL);
  pthread_join(t, NULL);
  assert(seen != 2);
  return 0;
}
