/* Atomic structs of eight and sixteen bytes and larger: load, store, exchange, compare
   and exchange. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

struct Pair {
  int a, b;
};
struct Wide {
  long lo, hi;
};
struct Large {
  int v[6];
};

static _Atomic struct Pair pair;
static _Atomic struct Wide wide;
static _Atomic struct Large large;

static void *run(void *arg) {
  int n = *(int *)arg;
  for (int i = 0; i < n; i++) {
    struct Pair old = atomic_load(&pair), next;
    do next = (struct Pair){old.a + 1, old.b + 2};
    while (!atomic_compare_exchange_weak(&pair, &old, next));
    struct Wide w = atomic_load(&wide), x;
    do x = (struct Wide){w.lo + 1, w.hi - 1};
    while (!atomic_compare_exchange_strong(&wide, &w, x));
  }
  return NULL;
}

int main(void) {
  pthread_t a, b;
  int n[2] = {15, 10};
  const struct Pair start = {1, 2}, seven = {7, 8}, zero = {0, 0};
  const struct Large nine = {{9}};
  atomic_init(&pair, start);
  pthread_create(&a, NULL, run, &n[0]);
  pthread_create(&b, NULL, run, &n[1]);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  struct Pair p = atomic_load(&pair);
  struct Wide w = atomic_load(&wide);
  printf("%d %d %ld %ld\n", p.a, p.b, w.lo, w.hi);
  struct Pair was = atomic_exchange(&pair, seven);
  p = pair;
  printf("%d %d %d %d\n", was.a, was.b, p.a, p.b);
  struct Pair expect = {7, 9};
  _Bool ok = atomic_compare_exchange_strong(&pair, &expect, zero);
  printf("%d %d\n", ok, expect.b);
  struct Large l = {{1, 2, 3, 4, 5, 6}};
  atomic_store(&large, l);
  l = atomic_exchange(&large, nine);
  struct Large m = atomic_load(&large);
  printf("%d %d %zu\n", l.v[5], m.v[0], sizeof large);
  struct Wide v = {5, -5};
  wide = v;
  w = wide;
  printf("%ld %ld\n", w.lo, w.hi);
  return 0;
}
