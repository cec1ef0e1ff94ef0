/* safe: hand over hand: n moves on after the work. */
#include <pthread.h>
struct node { pthread_mutex_t m; int v; struct node *next; } a, b;
static void *w(void *p) {
  struct node *n = p;
  pthread_mutex_lock(&n->m);
  struct node *h = n;
  n->v++;
  n = n->next;
  pthread_mutex_unlock(&h->m);
  return 0;
}
int main(void) {
  pthread_t s, t;
  pthread_mutex_init(&a.m, 0); pthread_mutex_init(&b.m, 0);
  a.next = &b; b.next = &b;
  pthread_create(&s, 0, w, &a); pthread_create(&t, 0, w, &b);
  pthread_join(s, 0); pthread_join(t, 0);
  return 0;
}
