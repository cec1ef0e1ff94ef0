/* bad: the second thread gets the pair the other way round. */
#include <pthread.h>
#include <stdlib.h>
struct o { pthread_mutex_t m; }; struct pair { struct o *x, *y; };
static struct o *mk(void) { struct o *o = malloc(sizeof *o); if (!o) exit(1); pthread_mutex_init(&o->m, 0); return o; }
static void *w(void *p) { struct pair *q = p; pthread_mutex_lock(&q->x->m); pthread_mutex_lock(&q->y->m); pthread_mutex_unlock(&q->y->m); pthread_mutex_unlock(&q->x->m); return 0; }
int main(void) {
  struct o *a = mk(), *b = mk();
  struct pair p = { a, b },
    q = { b, a };
  pthread_t s, t; pthread_create(&s, 0, w, &p); pthread_create(&t, 0, w, &q); pthread_join(s, 0); pthread_join(t, 0);
  return 0;
}
