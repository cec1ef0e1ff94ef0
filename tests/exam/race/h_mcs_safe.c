/* safe: the MCS lock with nodes on the stacks of the threads. */
#include <pthread.h>
#include <stdlib.h>
#include <stdatomic.h>
struct q { _Atomic(struct q *) next; atomic_int wait; };
_Atomic(struct q *) tail; int x;
static void *w(void *a) {
  struct q me;
  atomic_init(&me.next, NULL); atomic_init(&me.wait, 1);
  struct q *p = atomic_exchange(&tail, &me);
  if (p) { atomic_store(&p->next, &me); while (atomic_load(&me.wait)) ; }
  x++;
  struct q *n = atomic_load(&me.next);
  if (!n) {
    struct q *e = &me;
    if (atomic_compare_exchange_strong(&tail, &e, NULL)) return 0;
    while (!(n = atomic_load(&me.next))) ;
  }
  atomic_store(&n->wait, 0);
  return 0;
}
int main(void) { pthread_t s, t; pthread_create(&s, 0, w, 0); pthread_create(&t, 0, w, 0); pthread_join(s, 0); pthread_join(t, 0); return x; }
