// race: unsafe lines 19 29 — the object is published before it is filled
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct Message {
  int length;
  char text[8];
};

static _Atomic(struct Message *) box;

static void *sender(void *arg) {
  struct Message *m = malloc(sizeof *m);
  if (!m) exit(1);
  m->text[0] = 'h';
  m->text[1] = 'i';
  atomic_store_explicit(&box, m, memory_order_release);
  m->length = 2;
  return arg;
}

int main(void) {
  pthread_t t;
  struct Message *m;
  pthread_create(&t, NULL, sender, NULL);
  while (!(m = atomic_load_explicit(&box, memory_order_acquire))) {}
  int ok = m->text[0] == 'h';
  ok += m->length;
  pthread_join(t, NULL);
  free(m);
  return !ok;
}
