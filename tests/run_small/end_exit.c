/* exit is called while a thread still counts. */
#include "small.h"

int count;
atomic_int safe;
static void *work(void *a) {
  if (RACY)
    count++;
  else
    safe++;
  return a;
}
int main(void) {
  start(work, NULL);
  if (RACY)
    count++;
  else
    safe++;
  exit(0);
}
