/* bad: the ring is overrun by one. */
#include <pthread.h>
#include <stdatomic.h>
enum { N = 8 };
static int ring[N];
static atomic_uint head, tail;
static void *producer(void *p) {
  for (;;) {
    unsigned h = atomic_load(&head);
    if (h - atomic_load(&tail) > N) continue;
    ring[h % N] = 1;
    atomic_store(&head, h + 1);
  }
}
static void *consumer(void *p) {
  for (;;) {
    unsigned t = atomic_load(&tail);
    if (atomic_load(&head) == t) continue;
    int v = ring[t % N];
    (void)v;
    atomic_store(&tail, t + 1);
  }
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, producer, 0);
  pthread_create(&b, 0, consumer, 0);
  pthread_join(a, 0);
}
