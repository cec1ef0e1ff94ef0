/* bad: the second turn writes to the item of the first, which a consumer may have. */
#include <pthread.h>
#include <stdlib.h>
struct item { int v; };
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; struct item *slot;
static void *prod(void *p) {
  struct item *it = 0;
  for (int i = 0; i < 2; i++) {
    if (!it) it = malloc(sizeof *it);
    if (!it) abort();
    it->v = i;
    pthread_mutex_lock(&m); slot = it; pthread_mutex_unlock(&m);
  }
  return 0;
}
static void *cons(void *p) {
  pthread_mutex_lock(&m); struct item *it = slot; slot = 0; pthread_mutex_unlock(&m);
  if (it) it->v++;
  return 0;
}
int main(void) { pthread_t t; pthread_create(&t, 0, prod, 0); pthread_create(&t, 0, cons, 0); return 0; }
