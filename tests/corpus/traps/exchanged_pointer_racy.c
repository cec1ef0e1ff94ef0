// race: unsafe lines 10 17 — the pointer comes out of an atomic exchange, the object behind it is shared
#include <pthread.h>
#include <stdatomic.h>

static int first, second;
static _Atomic(int *) box = &first;

static void *swap(void *arg) {
  int *old = atomic_exchange(&box, &second);
  *old += 1;
  return arg;
}

int main(void) {
  pthread_t a;
  pthread_create(&a, NULL, swap, NULL);
  first += 2;
  pthread_join(a, NULL);
  return first + second > 3;
}
