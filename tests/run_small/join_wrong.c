/* It joins the thread that has nothing to do with it. */
#include "small.h"

int result;
static void *idle(void *a) {
  return a;
}
static void *work(void *a) {
  result = 1;
  return a;
}
int main(void) {
  pthread_t t = start(work, NULL), u = start(idle, NULL);
  finish(RACY ? u : t);
  result++;
  finish(RACY ? t : u);
  return 0;
}
