// race: safe — Peterson's algorithm with sequentially consistent atomics
#include <pthread.h>
#include <stdatomic.h>

static atomic_int wants[2], turn;
static int value;

static void *bump(void *arg) {
  int me = *(int *)arg, other = 1 - me;
  atomic_store(&wants[me], 1);
  atomic_store(&turn, other);
  while (atomic_load(&wants[other]) && atomic_load(&turn) == other) {}
  value++;
  atomic_store(&wants[me], 0);
  return NULL;
}

int main(void) {
  pthread_t a, b;
  int zero = 0, one = 1;
  pthread_create(&a, NULL, bump, &zero);
  pthread_create(&b, NULL, bump, &one);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return value - 2;
}
