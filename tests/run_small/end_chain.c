/* A thread makes another one and ends; nobody waits for either. */
#include "small.h"

int depth;
Mutex m = MUTEX;
static void deeper(void) {
  if (!RACY) lock(&m);
  depth++;
  if (!RACY) unlock(&m);
}
static void *second(void *a) {
  deeper();
  return a;
}
static void *first(void *a) {
  start(second, NULL);
  deeper();
  return a;
}
int main(void) {
  start(first, NULL);
  return 0;
}
