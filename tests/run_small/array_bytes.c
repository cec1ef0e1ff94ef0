/* Bytes of one word: neighbours do not race, the same one does. */
#include "small.h"

char bytes[8];
static void *work(void *a) {
  bytes[RACY ? 3 : 4]++;
  return a;
}
int main(void) {
  pthread_t t = start(work, NULL);
  bytes[3]++;
  finish(t);
  return 0;
}
