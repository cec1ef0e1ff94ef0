/* race: safe */
/* A word that counts readers; -1 is a writer. */
#include <pthread.h>
#include <stdatomic.h>

int __VERIFIER_nondet_int(void);

static atomic_int word;
static int data;

static void *reader(void *arg) {
  int seen;
  do seen = atomic_load(&word);
  while (seen < 0 || !atomic_compare_exchange_weak(&word, &seen, seen + 1));
  int copy = data;
  atomic_fetch_sub(&word, 1);
  return copy ? arg : NULL;
}

static void *writer(void *arg) {
  int nobody;
  do nobody = 0;
  while (!atomic_compare_exchange_weak(&word, &nobody, -1));
  data++;
  atomic_store(&word, 0);
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
