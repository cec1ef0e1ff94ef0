/* A worker ends the program while another one works. */
#include "small.h"

int total;
Mutex m = MUTEX;
static void add(int n) {
  if (!RACY) lock(&m);
  total += n;
  if (!RACY) unlock(&m);
}
static void *worker(void *a) {
  add(1);
  return a;
}
static void *ender(void *a) {
  add(2);
  exit(0);
  return a;
}
int main(void) {
  start(worker, NULL);
  finish(start(ender, NULL));
  return 0;
}
