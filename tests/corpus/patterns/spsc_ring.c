// race: safe — one producer and one consumer on a ring with atomic indices
#include <pthread.h>
#include <stdatomic.h>

#define CAP 2
static int ring[CAP];
static atomic_uint head, tail;

static void *producer(void *arg) {
  for (int i = 1; i <= 4; i++) {
    unsigned at = atomic_load_explicit(&tail, memory_order_relaxed);
    while (at - atomic_load_explicit(&head, memory_order_acquire) == CAP) {}
    ring[at % CAP] = i;
    atomic_store_explicit(&tail, at + 1, memory_order_release);
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
  return sum - 10;
}
