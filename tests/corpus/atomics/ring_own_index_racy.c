// race: unsafe lines 15 28 — the producer reads the index of the consumer relaxed, too: the slot may still be read
#include <pthread.h>
#include <stdatomic.h>

#define SLOTS 2
#define ITEMS 3

static int slot[SLOTS];
static atomic_uint head, tail;

static void *produce(void *arg) {
  for (int i = 0; i < ITEMS; i++) {
    unsigned h = atomic_load_explicit(&head, memory_order_relaxed);
    while (h - atomic_load_explicit(&tail, memory_order_relaxed) == SLOTS) continue;
    slot[h % SLOTS] = i;
    atomic_store_explicit(&head, h + 1, memory_order_release);
  }
  return arg;
}

int main(void) {
  pthread_t producer;
  int sum = 0;
  pthread_create(&producer, NULL, produce, NULL);
  for (int i = 0; i < ITEMS; i++) {
    unsigned t = atomic_load_explicit(&tail, memory_order_relaxed);
    while (atomic_load_explicit(&head, memory_order_acquire) == t) continue;
    sum += slot[t % SLOTS];
    atomic_store_explicit(&tail, t + 1, memory_order_release);
  }
  pthread_join(producer, NULL);
  return sum - 3;
}
