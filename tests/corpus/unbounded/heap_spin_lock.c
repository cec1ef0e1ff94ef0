// race: safe — a spin lock of acquire and release in the one object that any number of threads get
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

typedef struct {
  atomic_int taken;
  int count;
} Device;

static void *work(void *arg) {
  Device *d = arg;
  while (atomic_exchange_explicit(&d->taken, 1, memory_order_acquire)) continue;
  d->count++;
  atomic_store_explicit(&d->taken, 0, memory_order_release);
  return NULL;
}

int main(void) {
  Device *d = calloc(1, sizeof *d);
  if (!d) return 1;
  for (;;) {
    pthread_t t;
    pthread_create(&t, NULL, work, d);
  }
}
