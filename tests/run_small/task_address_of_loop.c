/* Threads get the address of the variable of the loop. */
#include "small.h"

int out[5];
static void *work(void *p) {
  int k = *(int *)p;
  if (k < 5) __atomic_store_n(&out[k], 1, __ATOMIC_RELAXED);
  return 0;
}
int main(void) {
  pthread_t t[5];
  int own[5];
  int k;
  for (k = 0; k < 5; k++) {
    own[k] = k;
    t[k] = start(work, RACY ? &k : &own[k]);
  }
  for (int n = 0; n < 5; n++) finish(t[n]);
  return 0;
}
