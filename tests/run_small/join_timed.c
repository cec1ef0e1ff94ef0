/* A join whose time is over. */
#include "small.h"

int result;
static void *work(void *a) {
  nap(30);
  result = 1;
  return a;
}
int main(void) {
  struct timespec until;
  pthread_t t = start(work, NULL);
  clock_gettime(CLOCK_REALTIME, &until);
  if (!RACY) until.tv_sec += 20;
  int code = pthread_timedjoin_np(t, NULL, &until);
  result++;
  if (code) finish(t);
  return 0;
}
