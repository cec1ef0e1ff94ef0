/* A macro around the wrong lock. */
#include "small.h"

Mutex m = MUTEX;
#define CRITICAL(l, body)                                                                \
  do {                                                                                   \
    lock(l);                                                                             \
    body;                                                                                \
    unlock(l);                                                                           \
  } while (0)
Mutex m2 = MUTEX;
int x;
static void *a(void *p) {
  CRITICAL(&m, x++);
  return p;
}
static void *b(void *p) {
  CRITICAL(RACY ? &m2 : &m, x++);
  return p;
}
int main(void) {
  start(a, 0);
  start(b, 0);
  return 0;
}
