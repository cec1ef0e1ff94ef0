/* Double-checked locking with a plain pointer. */
#include "small.h"

typedef struct {
  int value;
} Thing;
Thing *plain;
_Atomic(Thing *) safe;
Mutex m = MUTEX;
static Thing *get(void) {
  Thing *t = RACY ? plain : safe;
  if (t) return t;
  lock(&m);
  if (!(RACY ? plain : safe)) {
    t = malloc(sizeof *t);
    t->value = 1;
    if (RACY)
      plain = t;
    else
      safe = t;
  }
  unlock(&m);
  return RACY ? plain : safe;
}
static void *work(void *a) {
  return get()->value > 1 ? a : NULL;
}
int main(void) {
  pthread_t t = start(work, NULL), u = start(work, NULL);
  finish(t);
  finish(u);
  return 0;
}
