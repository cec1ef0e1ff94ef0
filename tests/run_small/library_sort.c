/* An array is sorted while somebody looks into it. */
#include "small.h"

int numbers[16] = {5, 3, 9, 1};
Mutex m = MUTEX;
static int compare(const void *a, const void *b) {
  return *(const int *)a - *(const int *)b;
}
static void *work(void *a) {
  if (!RACY) lock(&m);
  qsort(numbers, 16, sizeof *numbers, compare);
  if (!RACY) unlock(&m);
  return a;
}
int main(void) {
  pthread_t t = start(work, NULL);
  if (!RACY) lock(&m);
  int seen = numbers[3];
  if (!RACY) unlock(&m);
  finish(t);
  return seen > 9;
}
