// race: safe — a heap object published with release and found with acquire
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
  m->length = 2;
  m->text[0] = 'h';
  m->text[1] = 'i';
  atomic_store_explicit(&box, m, memory_order_release);
  return arg;
}

int main(void) {
  pthread_t t;
  struct Message *m;
  pthread_create(&t, NULL, sender, NULL);
  while (!(m = atomic_load_explicit(&box, memory_order_acquire))) {}
  int ok = m->length == 2 && m->text[0] == 'h';
  pthread_join(t, NULL);
  free(m);
  return !ok;
}
