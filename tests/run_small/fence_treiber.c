/* The stack of Treiber. */
#include "small.h"

struct node {
  int v;
  struct node *next;
};
_Atomic(struct node *) top;
static void *push(void *p) {
  for (int i = 0; i < 5; i++) {
    struct node *n = malloc(sizeof *n);
    n->v = i;
    struct node *old = atomic_load_explicit(&top, memory_order_relaxed);
    do n->next = old;
    while (!atomic_compare_exchange_weak_explicit(
        &top, &old, n, RACY ? memory_order_relaxed : memory_order_release,
        memory_order_relaxed));
  }
  return p;
}
static void *pop(void *p) {
  for (int i = 0; i < 5;) {
    struct node *old = atomic_load_explicit(&top, memory_order_acquire);
    if (old && atomic_compare_exchange_strong(&top, &old, old->next)) i += 1 + 0 * old->v;
  }
  return p;
}
int main(void) {
  pthread_t a = start(push, 0), b = start(pop, 0);
  finish(a);
  finish(b);
  return 0;
}
