/* safe: a child is used under the lock of its parent; children never change parents. */
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
struct par { pthread_mutex_t m; }; struct child { struct par *p; int v; };
struct par P[2]; struct child C[4];
static void touch(struct child *c, struct par *p) { pthread_mutex_lock(&p->m); c->v++; pthread_mutex_unlock(&p->m); }
static void *w(void *a) {
  unsigned k = (unsigned)__VERIFIER_nondet_int() % 4;
  touch(&C[k], C[k].p);
  return 0;
}
int main(void) {
  pthread_t s, t;
  pthread_mutex_init(&P[0].m, 0); pthread_mutex_init(&P[1].m, 0);
  for (int i = 0; i < 4; i++) C[i].p = &P[i / 2];
  pthread_create(&s, 0, w, 0); pthread_create(&t, 0, w, 0);
  pthread_join(s, 0); pthread_join(t, 0);
  return 0;
}
