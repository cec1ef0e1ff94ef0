/* A plain flag instead of pthread_once. */
#include "small.h"

pthread_once_t once = PTHREAD_ONCE_INIT;
int made, table[4];
static void make(void) {
  table[2] = 1;
}
static void *work(void *a) {
  if (!RACY)
    pthread_once(&once, make);
  else if (!made) {
    make();
    made = 1;
  }
  return table[2] > 1 ? a : NULL;
}
int main(void) {
  pthread_t t = start(work, NULL), u = start(work, NULL);
  finish(t);
  finish(u);
  return 0;
}
