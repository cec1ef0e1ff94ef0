/* A thread lends its stack to another one, and goes on with it. */
#include "small.h"

int *_Atomic lent;
atomic_int back;
static void *lender(void *a) {
  int mine = 1;
  lent = &mine;
  if (RACY) mine++;
  while (!back) {
  }
  if (!RACY) mine++;
  return mine > 9 ? a : NULL;
}
int main(void) {
  pthread_t t = start(lender, NULL);
  while (!lent) {
  }
  *lent += 1;
  back = 1;
  finish(t);
  return 0;
}
