/* Each thread sets its own entry, and touches that of the next one. */
#include "small.h"

int next_of[6];
static void *link_up(void *p) {
  int k = (int)(intptr_t)p;
  next_of[k] = k + 1;
  if (RACY) next_of[(k + 1) % 6]--;
  return p;
}
int main(void) {
  pthread_t t[6];
  for (int k = 0; k < 6; k++) t[k] = start(link_up, (void *)(intptr_t)k);
  for (int k = 0; k < 6; k++) finish(t[k]);
  return 0;
}
