/* Eight bytes at once, and the upper half of them. */
#include "small.h"

union {
  long long whole;
  int half[2];
} word;
static void *work(void *a) {
  word.half[1] = 1;
  return a;
}
int main(void) {
  pthread_t t = start(work, NULL);
  if (RACY)
    word.whole = 2;
  else
    word.half[0] = 2;
  finish(t);
  return 0;
}
