/* race: safe */
/* Readers are counted in the lower bits of a word, whose highest one is a writer. */
#include <pthread.h>
#include <stdatomic.h>

int __VERIFIER_nondet_int(void);

enum { WRITER = 1u << 31 };
static atomic_uint word;
static int data;

static void *reader(void *arg) {
  unsigned seen;
  do seen = atomic_load(&word);
  while ((seen & WRITER) || !atomic_compare_exchange_weak(&word, &seen, seen + 1));
  int copy = data;
  atomic_fetch_sub(&word, 1);
  return copy ? arg : NULL;
}

static void *writer(void *arg) {
  unsigned nobody;
  do nobody = 0;
  while (!atomic_compare_exchange_weak(&word, &nobody, WRITER));
  data++;
  atomic_fetch_and(&word, ~WRITER);
  return arg;
}

int main(void) {
  pthread_t t;
  while (__VERIFIER_nondet_int()) {
    pthread_create(&t, NULL, reader, NULL);
    pthread_create(&t, NULL, writer, NULL);
  }
  return 0;
}
