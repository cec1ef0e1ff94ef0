/* Much happens between two accesses, and nothing that orders them. */
#include "small.h"

Mutex m = MUTEX;
int early;
static void *first(void *p) {
  early = 1;
  return p;
}
static void *busy(void *p) {
  for (int i = 0; i < 2000; i++) {
    lock(&m);
    unlock(&m);
  }
  return p;
}
static void *last(void *p) {
  return early ? p : 0;
}
int main(void) {
  pthread_t a = start(first, 0);
  if (!RACY)
    finish(a);
  else
    nap(10);
  pthread_t b = start(busy, 0);
  finish(b);
  pthread_t c = start(last, 0);
  finish(c);
  if (RACY) finish(a);
  return 0;
}
