/* bad: head goes up before the slot is written. */
#include <pthread.h>
#include <stdatomic.h>
#define N 4
int ring[N]; atomic_uint head, tail;
static void *prod(void *p) {
  for (int i = 0; i < 5; i++) {
    unsigned h = atomic_load_explicit(&head, memory_order_relaxed);
    while (h - atomic_load_explicit(&tail, memory_order_acquire) == N) ;
    atomic_store_explicit(&head, h + 1, memory_order_release);
    ring[h % N] = i;
  }
  return 0;
}
static void *cons(void *p) {
  int s = 0;
  for (int i = 0; i < 5; i++) {
    unsigned t = atomic_load_explicit(&tail, memory_order_relaxed);
    while (atomic_load_explicit(&head, memory_order_acquire) == t) ;
    s += ring[t % N];
    atomic_store_explicit(&tail, t + 1, memory_order_release);
  }
  return (void *)(long)s;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, prod, 0); pthread_create(&b, 0, cons, 0);
  pthread_join(a, 0); pthread_join(b, 0);
  return 0;
}
