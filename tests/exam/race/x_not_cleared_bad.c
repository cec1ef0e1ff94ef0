/* bad: the taker leaves the item in the slot, and a second taker gets it too. */
#include <pthread.h>
#include <stdlib.h>
struct item { int v; };
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; struct item *slot;
static void *prod(void *p) {
  struct item *it = malloc(sizeof *it);
  if (!it) abort();
  it->v = 1;
  pthread_mutex_lock(&m); slot = it; pthread_mutex_unlock(&m);
  return 0;
}
static void *cons(void *p) {
  pthread_mutex_lock(&m);
  struct item *it = slot;
  pthread_mutex_unlock(&m);
  if (it) it->v++;
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, prod, 0); pthread_create(&t, 0, cons, 0); pthread_create(&t, 0, cons, 0);
  return 0;
}
