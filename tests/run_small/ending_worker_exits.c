/* A thread ends the program, another never ends. */
#include "small.h"

Mutex m = MUTEX;
int x;
static void *a(void *p) {
  if (!RACY) lock(&m);
  x++;
  if (!RACY) unlock(&m);
  exit(0);
  return p;
}
static void *b(void *p) {
  if (!RACY) lock(&m);
  x++;
  if (!RACY) unlock(&m);
  for (;;) pause();
  return p;
}
int main(void) {
  start(a, 0);
  start(b, 0);
  for (;;) pause();
}
