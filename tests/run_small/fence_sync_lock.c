/* The oldest builtins, and a plain store instead of the release. */
#include "small.h"

int word, cs;
static void *work(void *p) {
  for (int i = 0; i < 4; i++) {
    while (__sync_lock_test_and_set(&word, 1)) {
    }
    cs++;
    if (RACY)
      *(volatile int *)&word = 0;
    else
      __sync_lock_release(&word);
  }
  return p;
}
int main(void) {
  pthread_t a = start(work, 0), b = start(work, 0);
  finish(a);
  finish(b);
  return 0;
}
