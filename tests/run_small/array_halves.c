/* Two halves that overlap in one element. */
#include "small.h"

int numbers[20];
static void fill(int from, int to) {
  for (int i = from; i < to; i++) numbers[i] = i;
}
static void *work(void *a) {
  fill(10, 20);
  return a;
}
int main(void) {
  pthread_t t = start(work, NULL);
  fill(0, RACY ? 11 : 10);
  finish(t);
  return numbers[19] != 19;
}
