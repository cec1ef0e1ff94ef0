// race: unsafe lines 11 — the own spin lock is released with a relaxed store
#include <pthread.h>
#include <stdatomic.h>

static atomic_flag busy = ATOMIC_FLAG_INIT;
static int value;

static void *bump(void *arg) {
  for (int i = 0; i < 3; i++) {
    while (atomic_flag_test_and_set_explicit(&busy, memory_order_acquire)) {}
    value++;
    atomic_flag_clear_explicit(&busy, memory_order_relaxed);
  }
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, bump, NULL);
  pthread_create(&b, NULL, bump, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return value > 6;
}
