/* safe: a node is written before it is published by CAS, and read by who took the whole stack by exchange. */
#include <pthread.h>
#include <stdlib.h>
#include <stdatomic.h>
struct node { int v; struct node *next; };
_Atomic(struct node *) top;
int sum;
static void *push(void *a) {
  struct node *n = malloc(sizeof *n);
  if (!n) return 0;
  n->v = 7;
  struct node *o = atomic_load(&top);
  do n->next = o; while (!atomic_compare_exchange_weak(&top, &o, n));
  return 0;
}
int main(void) {
  pthread_t t[2];
  pthread_create(&t[0], 0, push, 0);
  pthread_create(&t[1], 0, push, 0);
  struct node *n = atomic_exchange(&top, NULL);
  while (n) { sum += n->v; struct node *d = n; n = n->next; free(d); }
  return 0;
}
