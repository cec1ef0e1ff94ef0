/* safe: relaxed store behind a release fence, relaxed load before an acquire fence. */
#include <pthread.h>
#include <stdatomic.h>
atomic_int ok; int msg;
static void *w(void *p) {
  msg = 9;
  atomic_thread_fence(memory_order_release);
  atomic_store_explicit(&ok, 1, memory_order_relaxed);
  return 0;
}
int main(void) {
  pthread_t t; int v = 0;
  pthread_create(&t, 0, w, 0);
  if (atomic_load_explicit(&ok, memory_order_relaxed)) {
    atomic_thread_fence(memory_order_acquire);
    v = msg;
  }
  return v;
}
