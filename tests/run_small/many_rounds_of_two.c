/* In each round main goes on beside its thread. */
#include "small.h"

int x;
static void *a(void *p) {
  x++;
  return p;
}
int main(void) {
  for (int i = 0; i < 10; i++) {
    pthread_t t = start(a, 0);
    if (!RACY) finish(t);
    x--;
    if (RACY) finish(t);
  }
  return 0;
}
