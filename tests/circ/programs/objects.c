/* race: safe. Objects of the heap, any number of them, each with its own state. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

int __VERIFIER_nondet_int(void);

typedef struct {
  atomic_int state;
  int data;
} Item;

static void *work(void *arg) {
  Item *item = arg;
  int nobody = 0;
  if (atomic_compare_exchange_strong(&item->state, &nobody, 1)) {
    item->data++;
    atomic_store(&item->state, 0);
  }
  return NULL;
}

int main(void) {
  pthread_t t;
  while (__VERIFIER_nondet_int()) {
    Item *item = malloc(sizeof *item);
    if (!item) return 1;
    atomic_store(&item->state, 0);
    item->data = 5;
    pthread_create(&t, NULL, work, item);
    pthread_create(&t, NULL, work, item);
  }
}
