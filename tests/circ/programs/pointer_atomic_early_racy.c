/* race: unsafe. It is written after it has been published. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

int __VERIFIER_nondet_int(void);

typedef struct {
  atomic_int state;
  int data;
} Item;

static Item *_Atomic current;

static void *use(void *arg) {
  Item *item = atomic_load(&current);
  int nobody = 0;
  if (item && atomic_compare_exchange_strong(&item->state, &nobody, 1)) {
    item->data++;
    atomic_store(&item->state, 0);
  }
  return arg;
}

static void *publish(void *arg) {
  Item *item = calloc(1, sizeof *item);
  if (!item) return arg;
  atomic_store(&current, item);
  item->data = 1;
  return arg;
}

int main(void) {
  pthread_t t;
  while (__VERIFIER_nondet_int()) {
    pthread_create(&t, NULL, use, NULL);
    pthread_create(&t, NULL, publish, NULL);
  }
}
