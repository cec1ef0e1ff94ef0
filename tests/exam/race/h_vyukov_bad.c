/* bad: the number is released before the value is written. */
#include <pthread.h>
#include <stdatomic.h>
#define N 2
struct cell { atomic_uint seq; int v; } c[N];
atomic_uint in, out;
static int put(int v) {
  unsigned p = atomic_load(&in);
  for (;;) {
    struct cell *k = &c[p % N];
    unsigned s = atomic_load(&k->seq);
    if (s == p) {
      if (atomic_compare_exchange_strong(&in, &p, p + 1)) {
        atomic_store(&k->seq, p + 1); k->v = v;
        return 1;
      }
    } else if ((int)(s - p) < 0) return 0;
    else p = atomic_load(&in);
  }
}
static int get(int *v) {
  unsigned p = atomic_load(&out);
  for (;;) {
    struct cell *k = &c[p % N];
    unsigned s = atomic_load(&k->seq);
    if (s == p + 1) {
      if (atomic_compare_exchange_strong(&out, &p, p + 1)) { *v = k->v; atomic_store(&k->seq, p + N); return 1; }
    } else if ((int)(s - (p + 1)) < 0) return 0;
    else p = atomic_load(&out);
  }
}
static void *pr(void *a) { put(1); return 0; }
static void *co(void *a) { int v; get(&v); return 0; }
int main(void) {
  pthread_t t[4];
  for (unsigned i = 0; i < N; i++) atomic_init(&c[i].seq, i);
  pthread_create(&t[0], 0, pr, 0); pthread_create(&t[1], 0, pr, 0);
  pthread_create(&t[2], 0, co, 0); pthread_create(&t[3], 0, co, 0);
  for (int i = 0; i < 4; i++) pthread_join(t[i], 0);
  return 0;
}
