/* strcpy beside strlen. */
#include "small.h"

Mutex m = MUTEX;
char *text;
static void *w(void *p) {
  if (!RACY) lock(&m);
  strcpy(text, "hello");
  if (!RACY) unlock(&m);
  return p;
}
static void *r(void *p) {
  if (!RACY) lock(&m);
  size_t n = strlen(text);
  if (!RACY) unlock(&m);
  return n > 50 ? p : 0;
}
int main(void) {
  text = calloc(1, 64);
  start(w, 0);
  start(r, 0);
  return 0;
}
