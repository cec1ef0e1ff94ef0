/* safe: the pointer that is moved between lock and use is another one. */
#include <pthread.h>
struct node { pthread_mutex_t m; int v; struct node *next; } a, b;
static void step(struct node **pp) { *pp = (*pp)->next; }
static void *w(void *p) {
  struct node *n = p, *o = p, *k = p;
  pthread_mutex_lock(&n->m);
  step(&o);
  n->v++;
  pthread_mutex_unlock(&k->m);
  return o ? 0 : p;
}
int main(void) {
  pthread_t s, t;
  pthread_mutex_init(&a.m, 0); pthread_mutex_init(&b.m, 0); a.next = &b; b.next = &b;
  pthread_create(&s, 0, w, &a); pthread_create(&t, 0, w, &b); pthread_join(s, 0); pthread_join(t, 0);
  return 0;
}
