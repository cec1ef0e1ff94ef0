/* safe: one thread alone pops and pushes back, others only pop once under the lock of poppers. */
#include <pthread.h>
#include <stdatomic.h>
struct n { struct n *_Atomic next; int v; } n1, n2;
_Atomic(struct n *) top;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static struct n *pop(void) {
  pthread_mutex_lock(&m);
  struct n *t = atomic_load(&top);
  while (t && !atomic_compare_exchange_strong(&top, &t, atomic_load(&t->next))) ;
  pthread_mutex_unlock(&m);
  return t;
}
static void push(struct n *x) {
  pthread_mutex_lock(&m);
  struct n *t = atomic_load(&top);
  do atomic_store(&x->next, t); while (!atomic_compare_exchange_strong(&top, &t, x));
  pthread_mutex_unlock(&m);
}
static void *a(void *q) {
  struct n *x = pop();
  if (x) { x->v++; struct n *y = pop(); if (y) y->v++; }
  return 0;
}
static void *b(void *q) {
  struct n *x = pop(), *y = pop();
  if (x) push(x);
  if (y) y->v++;
  return 0;
}
int main(void) {
  pthread_t s, t;
  n1.next = &n2; top = &n1;
  pthread_create(&s, 0, a, 0); pthread_create(&t, 0, b, 0);
  pthread_join(s, 0); pthread_join(t, 0);
  return 0;
}
