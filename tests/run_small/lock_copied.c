/* The lock is copied together with what it guards. */
#include "small.h"

typedef struct {
  Mutex m;
  int *value;
} Guarded;
int value;
Guarded original = {MUTEX, &value};
static void *work(void *a) {
  Guarded copy = original, *g = RACY ? &copy : &original;
  lock(&g->m);
  ++*g->value;
  unlock(&g->m);
  return a;
}
int main(void) {
  pthread_t t = start(work, NULL), u = start(work, NULL);
  finish(t);
  finish(u);
  return 0;
}
