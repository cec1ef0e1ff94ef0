/* snprintf beside atoi. */
#include "small.h"

Mutex m = MUTEX;
char buffer[32];
static void *a(void *p) {
  if (!RACY) lock(&m);
  snprintf(buffer, sizeof buffer, "%d", 5);
  if (!RACY) unlock(&m);
  return p;
}
static void *b(void *p) {
  if (!RACY) lock(&m);
  int v = atoi(buffer);
  if (!RACY) unlock(&m);
  return v > 9 ? p : 0;
}
int main(void) {
  pthread_t t = start(a, 0), u = start(b, 0);
  finish(t);
  finish(u);
  return 0;
}
