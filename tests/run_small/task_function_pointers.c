/* The routine is called through a table. */
#include "small.h"

Mutex m = MUTEX;
int cell;
static void plain(void) {
  cell++;
}
static void guarded(void) {
  lock(&m);
  cell++;
  unlock(&m);
}
static void (*table[2])(void) = {guarded, plain};
static void *work(void *p) {
  table[RACY]();
  return p;
}
int main(void) {
  start(work, 0);
  start(work, 0);
  pthread_exit(0);
}
