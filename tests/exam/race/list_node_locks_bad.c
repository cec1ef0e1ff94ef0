/* bad: the walk looks at v of the next node with the lock of this one. */
#include <pthread.h>
#include <stdlib.h>
struct node { pthread_mutex_t m; int v; struct node *next; };
struct node *head;
static void *w(void *p) {
  for (struct node *n = head; n; n = n->next) {
    pthread_mutex_lock(&n->m);
    n->v++;
    if (n->next && n->next->v > 5) n->v = 0;
    pthread_mutex_unlock(&n->m);
  }
  return 0;
}
int main(void) {
  pthread_t t[2];
  for (int i = 0; i < 3; i++) {
    struct node *n = malloc(sizeof *n);
    if (!n) abort();
    pthread_mutex_init(&n->m, 0); n->v = 0; n->next = head; head = n;
  }
  pthread_create(&t[0], 0, w, 0); pthread_create(&t[1], 0, w, 0);
  pthread_join(t[0], 0); pthread_join(t[1], 0);
  return 0;
}
