/* bad: read before the joins. */
#include <pthread.h>
#include <stdlib.h>
struct ctx { int res; struct ctx *next; } *all; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *w(void *p) {
  struct ctx *c = calloc(1, sizeof *c);
  if (!c) return 0;
  pthread_mutex_lock(&m); c->next = all; all = c; pthread_mutex_unlock(&m);
  for (int i = 0; i < 3; i++) c->res += i;
  return 0;
}
int main(void) {
  pthread_t s, t; int r = 0;
  pthread_create(&s, 0, w, 0); pthread_create(&t, 0, w, 0);
  pthread_mutex_lock(&m);
  for (struct ctx *c = all; c; c = c->next) r += c->res;
  pthread_mutex_unlock(&m);
  pthread_join(s, 0); pthread_join(t, 0);
  return r;
}
