/* race: unsafe. It is written after it has been published. */
#include <pthread.h>
#include <stdlib.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
int __VERIFIER_nondet_int(void);

typedef struct {
  int busy, data;
} Item;

static Item *current;

static void *use(void *arg) {
  int mine = 0;
  __VERIFIER_atomic_begin();
  Item *item = current;
  if (item && !item->busy) mine = item->busy = 1;
  __VERIFIER_atomic_end();
  if (!mine) return arg;
  item->data++;
  __VERIFIER_atomic_begin();
  item->busy = 0;
  __VERIFIER_atomic_end();
  return arg;
}

static void *publish(void *arg) {
  Item *item = calloc(1, sizeof *item);
  if (!item) return arg;
  __VERIFIER_atomic_begin();
  current = item;
  __VERIFIER_atomic_end();
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
