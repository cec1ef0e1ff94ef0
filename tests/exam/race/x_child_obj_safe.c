/* safe: the part belongs to the whole; who takes the whole has the part. */
#include <pthread.h>
#include <stdlib.h>
struct part { int v; }; struct whole { struct part *p; };
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; struct whole *stack[4]; int top;
static void *cons(void *a) {
  pthread_mutex_lock(&m);
  struct whole *w = top ? stack[--top] : 0;
  pthread_mutex_unlock(&m);
  if (w) w->p->v++;
  return 0;
}
int main(void) {
  pthread_t t;
  for (int i = 0; i < 4; i++) {
    struct whole *w = malloc(sizeof *w);
    if (!w) abort();
    struct part *pt = malloc(sizeof *pt);
    if (!pt) abort();
    pt->v = 0;
    w->p = pt; stack[top++] = w;
  }
  pthread_create(&t, 0, cons, 0); pthread_create(&t, 0, cons, 0);
  return 0;
}
