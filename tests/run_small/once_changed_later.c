/* What was made once is changed afterwards. */
#include "small.h"

pthread_once_t once = PTHREAD_ONCE_INIT;
int value;
static void make(void) {
  value = 1;
}
static void *work(void *a) {
  pthread_once(&once, make);
  if (RACY) value++;
  return value > 9 ? a : NULL;
}
int main(void) {
  pthread_t t = start(work, NULL), u = start(work, NULL);
  finish(t);
  finish(u);
  return 0;
}
