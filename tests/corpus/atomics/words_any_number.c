// race: safe — any number of threads, two spin locks of atomic words that acquire and release, one inside of the other
#include <pthread.h>
#include <stdatomic.h>

extern int __VERIFIER_nondet_int(void);

static atomic_int outer, inner;
static int both, second;

static void take(atomic_int *word) {
  while (atomic_exchange_explicit(word, 1, memory_order_acquire)) {
    while (atomic_load_explicit(word, memory_order_relaxed)) {
    }
  }
}

static void give(atomic_int *word) { atomic_store_explicit(word, 0, memory_order_release); }

static void *work(void *arg) {
  take(&outer);
  both++;
  take(&inner);
  second += both;
  give(&inner);
  give(&outer);
  take(&inner);
  second++;
  give(&inner);
  return arg;
}

int main(void) {
  pthread_t id;
  while (__VERIFIER_nondet_int())
    pthread_create(&id, NULL, work, NULL);
  return 0;
}
