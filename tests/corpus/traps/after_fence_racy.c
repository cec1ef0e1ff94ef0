// race: unsafe lines 12 19 — the second store comes after the fence, which does not cover it
#include <pthread.h>
#include <stdatomic.h>

static int data;
static atomic_int flag;

static void *writer(void *argument) {
  data = 1;
  atomic_thread_fence(memory_order_release);

  data = 2;
  atomic_store_explicit(&flag, 1, memory_order_relaxed);
  return argument;
}
static void *reader(void *argument) {
  if (atomic_load_explicit(&flag, memory_order_relaxed)) {
    atomic_thread_fence(memory_order_acquire);
    data = 3;
  }
  return argument;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, writer, NULL);
  pthread_create(&b, NULL, reader, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
