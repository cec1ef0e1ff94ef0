/* One member of a structure in the heap has no guard. */
#include "small.h"

typedef struct {
  Mutex m;
  int guarded, plain;
} Account;
static void *work(void *a) {
  Account *x = a;
  lock(&x->m);
  x->guarded++;
  if (!RACY) x->plain++;
  unlock(&x->m);
  if (RACY) x->plain++;
  return NULL;
}
int main(void) {
  Account *x = malloc(sizeof *x);
  pthread_mutex_init(&x->m, NULL);
  x->guarded = x->plain = 0;
  pthread_t t = start(work, x), u = start(work, x);
  finish(t);
  finish(u);
  free(x);
  return 0;
}
