/* bad: the producer writes to the item after it has been put in. */
#include <pthread.h>
#include <stdlib.h>
struct item { int v; int done; };
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; struct item *slot;
static void *prod(void *p) {
  for (int i = 0; i < 2; i++) {
    struct item *it = malloc(sizeof *it);
    if (!it) abort();
    it->v = i; it->done = 0;
    int put = 0;
    while (!put) {
      pthread_mutex_lock(&m);
      if (!slot) { slot = it; put = 1; }
      pthread_mutex_unlock(&m);
    }
    it->done = 1;
  }
  return 0;
}
static void *cons(void *p) {
  int n = 0;
  while (n < 2) {
    pthread_mutex_lock(&m);
    struct item *it = slot; slot = 0;
    pthread_mutex_unlock(&m);
    if (it) { it->v += 1; it->done = 2; n++; }
  }
  return 0;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, prod, 0); pthread_create(&b, 0, cons, 0);
  pthread_join(a, 0); pthread_join(b, 0);
  return 0;
}
