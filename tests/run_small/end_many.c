/* Eight detached threads, and main is gone before most of them. */
#include "small.h"

int slots[8];
static void *work(void *a) {
  int *mine = a;
  *mine += 1;
  return NULL;
}
int main(void) {
  for (int i = 0; i < 8; i++) pthread_detach(start(work, RACY ? slots : slots + i));
  return 0;
}
