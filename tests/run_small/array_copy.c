/* memcpy reads what another thread writes. */
#include "small.h"

int from[64], to[64];
static void *work(void *a) {
  from[RACY ? 40 : 63] = 1;
  return a;
}
int main(void) {
  pthread_t t = start(work, NULL);
  memcpy(to, from, 60 * sizeof *to);
  finish(t);
  return to[0];
}
