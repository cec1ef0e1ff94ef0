/* One thread has the even elements, the other one the odd ones, and one more. */
#include "small.h"

int numbers[21];
static void *work(void *a) {
  for (int i = 1; i < 20; i += 2) numbers[i]++;
  if (RACY) numbers[8]++;
  return a;
}
int main(void) {
  pthread_t t = start(work, NULL);
  for (int i = 0; i < 20; i += 2) numbers[i]++;
  finish(t);
  return 0;
}
