/* An atomic structure. */
#include "small.h"

struct big {
  int a, b;
};
#if RACY
struct big s;
#else
_Atomic struct big s;
#endif
static void *w(void *p) {
  struct big v = {1, 2};
  s = v;
  return p;
}
static void *r(void *p) {
  struct big v = s;
  return v.a ? p : 0;
}
int main(void) {
  pthread_t a = start(w, 0), b = start(r, 0);
  finish(a);
  finish(b);
  return 0;
}
