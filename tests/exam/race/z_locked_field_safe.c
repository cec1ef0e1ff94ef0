/* safe: the context remembers whether the lock was got. */
#include <pthread.h>
#include <stdlib.h>
struct ctx { int locked; }; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; int x;
static void try(struct ctx *c) {
  c->locked = pthread_mutex_trylock(&m) == 0;
}
static void *w(void *p) {
  struct ctx *c = malloc(sizeof *c);
  if (!c) return 0;
  try(c);
  if (c->locked) x++;
  if (c->locked == 1) pthread_mutex_unlock(&m);
  free(c);
  return 0;
}
int main(void) { pthread_t s, t; pthread_create(&s, 0, w, 0); pthread_create(&t, 0, w, 0); pthread_join(s, 0); pthread_join(t, 0); return 0; }
