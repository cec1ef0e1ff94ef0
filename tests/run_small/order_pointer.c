/* An object is published by a relaxed pointer. */
#include "small.h"

typedef struct {
  int a, b;
} Pair;
_Atomic(Pair *) shared;
Pair pair;
static void *work(void *a) {
  pair.a = 1;
  pair.b = 2;
  atomic_store_explicit(&shared, &pair,
                        RACY ? memory_order_relaxed : memory_order_release);
  return a;
}
int main(void) {
  Pair *p;
  pthread_t t = start(work, NULL);
  while (!(p = atomic_load_explicit(&shared, memory_order_acquire))) {
  }
  int sum = p->a + p->b;
  finish(t);
  return sum != 3;
}
