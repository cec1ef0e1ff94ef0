/* bad: the lock of the predecessor is given back before its next is changed. */
#include <pthread.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct n { pthread_mutex_t m; int v; struct n *next; };
struct n head;
static struct n *mk(int v) { struct n *x = malloc(sizeof *x); if (!x) abort(); pthread_mutex_init(&x->m, 0); x->v = v; x->next = 0; return x; }
static void insert(int v) {
  struct n *x = mk(v), *p = &head;
  pthread_mutex_lock(&p->m);
  while (p->next) {
    struct n *c = p->next;
    pthread_mutex_lock(&c->m);
    if (c->v >= v) { pthread_mutex_unlock(&c->m); break; }
    pthread_mutex_unlock(&p->m);
    p = c;
  }
  x->next = p->next;
  pthread_mutex_unlock(&p->m);
  p->next = x;
}
static void *w(void *a) { insert(__VERIFIER_nondet_int()); return 0; }
int main(void) {
  pthread_t t;
  pthread_mutex_init(&head.m, 0);
  while (1) pthread_create(&t, 0, w, 0);
}
