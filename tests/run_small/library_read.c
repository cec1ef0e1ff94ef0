/* read into a shared buffer. */
#include "small.h"

Mutex m = MUTEX;
char buffer[16];
static void *a(void *p) {
  int f = open("/dev/zero", O_RDONLY);
  if (!RACY) lock(&m);
  if (read(f, buffer, 16) < 0) abort();
  if (!RACY) unlock(&m);
  close(f);
  return p;
}
static void *b(void *p) {
  if (!RACY) lock(&m);
  buffer[3] = 1;
  if (!RACY) unlock(&m);
  return p;
}
int main(void) {
  pthread_t t = start(a, 0), u = start(b, 0);
  finish(t);
  finish(u);
  return 0;
}
