// race: unsafe lines 14 26 — the producer publishes the index before the slot is filled
#include <pthread.h>
#include <stdatomic.h>

#define CAP 2
static int ring[CAP];
static atomic_uint head, tail;

static void *producer(void *arg) {
  for (int i = 1; i <= 4; i++) {
    unsigned at = atomic_load_explicit(&tail, memory_order_relaxed);
    while (at - atomic_load_explicit(&head, memory_order_acquire) == CAP) {}
    atomic_store_explicit(&tail, at + 1, memory_order_release);
    ring[at % CAP] = i;
  }
  return arg;
}

int main(void) {
  pthread_t t;
  int sum = 0;
  pthread_create(&t, NULL, producer, NULL);
  for (int i = 1; i <= 4; i++) {
    unsigned at = atomic_load_explicit(&head, memory_order_relaxed);
    while (atomic_load_explicit(&tail, memory_order_acquire) == at) {}
    sum += ring[at % CAP];
    atomic_store_explicit(&head, at + 1, memory_order_release);
  }
  pthread_join(t, NULL);
  return sum > 20;
}
