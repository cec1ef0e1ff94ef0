/* race: unsafe. The state is that of another object of the same place. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

int __VERIFIER_nondet_int(void);

typedef struct {
  atomic_int state;
  int data;
} Item;

typedef struct {
  Item *locked, *used;
} Pair;

static Item *new_item(void) {
  return calloc(1, sizeof(Item));
}

static void *work(void *arg) {
  Pair *pair = arg;
  int nobody = 0;
  if (atomic_compare_exchange_strong(&pair->locked->state, &nobody, 1)) {
    pair->used->data++;
    atomic_store(&pair->locked->state, 0);
  }
  return NULL;
}

int main(void) {
  pthread_t t;
  Item *common = new_item();
  while (common && __VERIFIER_nondet_int()) {
    Pair *pair = malloc(sizeof *pair);
    if (!pair) return 1;
    pair->locked = new_item();
    pair->used = common;
    if (!pair->locked) return 1;
    pthread_create(&t, NULL, work, pair);
  }
}
