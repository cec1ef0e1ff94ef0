// race: unsafe lines 8 16 — a compare-and-exchange that succeeds writes
#include <pthread.h>

static int state, data;

static void *work(void *arg) {
  int expected = 1;
  __atomic_compare_exchange_n(&state, &expected, 2, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
  return arg;
}

int main(void) {
  pthread_t a;
  pthread_create(&a, NULL, work, NULL);
  __atomic_exchange_n(&state, 1, __ATOMIC_ACQ_REL);
  data = state;
  pthread_join(a, NULL);
  return data;
}
