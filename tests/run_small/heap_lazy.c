/* A table that whoever comes first allocates. */
#include "small.h"

int *table;
Mutex m = MUTEX;
static void *work(void *a) {
  if (!RACY) lock(&m);
  if (!table) table = calloc(16, sizeof *table);
  if (!RACY) unlock(&m);
  return a;
}
int main(void) {
  pthread_t t = start(work, NULL), u = start(work, NULL);
  finish(t);
  finish(u);
  return !table;
}
