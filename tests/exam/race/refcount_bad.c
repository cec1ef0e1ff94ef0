/* bad: v is read without the lock. */
#include <pthread.h>
#include <stdlib.h>
#include <stdatomic.h>
struct obj { atomic_int ref; int v; pthread_mutex_t m; };
static void put(struct obj *o) { if (atomic_fetch_sub(&o->ref, 1) == 1) { o->v = -1; free(o); } }
static void *w(void *p) {
  struct obj *o = p;
  pthread_mutex_lock(&o->m); o->v++; pthread_mutex_unlock(&o->m);
  int r = o->v;
  put(o); (void)r;
  return 0;
}
int main(void) {
  pthread_t a, b;
  struct obj *o = malloc(sizeof *o);
  if (!o) return 1;
  atomic_init(&o->ref, 2); o->v = 0; pthread_mutex_init(&o->m, 0);
  pthread_create(&a, 0, w, o); pthread_create(&b, 0, w, o);
  pthread_join(a, 0); pthread_join(b, 0);
  return 0;
}
