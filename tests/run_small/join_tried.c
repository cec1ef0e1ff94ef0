/* That tryjoin fails is not looked at. */
#include "small.h"

int result;
static void *work(void *a) {
  nap(20);
  result = 1;
  return a;
}
int main(void) {
  pthread_t t = start(work, NULL);
  if (RACY) {
    pthread_tryjoin_np(t, NULL);
    result++;
  }
  while (pthread_tryjoin_np(t, NULL) == EBUSY) nap(1);
  result++;
  return 0;
}
