/* A function with a static buffer, which should be the thread's own. */
#include "small.h"

static int *buffer(void) {
#if RACY
  static int room[4];
#else
  static _Thread_local int room[4];
#endif
  return room;
}
static void *work(void *a) {
  int *room = buffer();
  for (int i = 0; i < 4; i++) room[i] = i;
  return room[3] > 9 ? a : NULL;
}
int main(void) {
  pthread_t t = start(work, NULL), u = start(work, NULL);
  finish(t);
  finish(u);
  return 0;
}
