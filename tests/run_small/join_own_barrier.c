/* Everybody waits until all have come, by a plain counter. */
#include "small.h"

int arrived, data[2];
atomic_int safe;
static void meet(void) {
  if (RACY) {
    __atomic_fetch_add(&arrived, 1, __ATOMIC_RELAXED);
    while (*(volatile int *)&arrived < 2) {
    }
  } else {
    safe++;
    while (safe < 2) {
    }
  }
}
static void *work(void *a) {
  data[1] = 1;
  meet();
  return data[0] > 5 ? a : NULL;
}
int main(void) {
  pthread_t t = start(work, NULL);
  data[0] = 1;
  meet();
  int seen = data[1];
  finish(t);
  return seen != 1;
}
