/* bad: one item is put into two slots. */
#include <pthread.h>
#include <stdlib.h>
struct item { int v; };
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; struct item *s1, *s2;
static void *prod(void *p) {
  struct item *it = malloc(sizeof *it);
  if (!it) abort();
  it->v = 1;
  pthread_mutex_lock(&m); s1 = it; pthread_mutex_unlock(&m);
  pthread_mutex_lock(&m); s2 = it; pthread_mutex_unlock(&m);
  return 0;
}
static void *c1(void *p) { pthread_mutex_lock(&m); struct item *it = s1; s1 = 0; pthread_mutex_unlock(&m); if (it) it->v++; return 0; }
static void *c2(void *p) { pthread_mutex_lock(&m); struct item *it = s2; s2 = 0; pthread_mutex_unlock(&m); if (it) it->v++; return 0; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, prod, 0); pthread_create(&t, 0, c1, 0); pthread_create(&t, 0, c2, 0);
  return 0;
}
