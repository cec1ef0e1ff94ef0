/* A flag says whether a table was made. */
#include "small.h"

Mutex m = MUTEX;
int table[4];
#if RACY
bool ready;
#else
atomic_bool ready;
#endif
static void init(void) {
  if (!ready) {
    lock(&m);
    if (!ready) {
      table[1] = 3;
      ready = true;
    }
    unlock(&m);
  }
}
static void *a(void *p) {
  init();
  return table[1] ? p : 0;
}
int main(void) {
  pthread_t t = start(a, 0), u = start(a, 0);
  finish(t);
  finish(u);
  return 0;
}
