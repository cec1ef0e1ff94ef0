/* A text is measured while it is written. */
#include "small.h"

char text[32] = "heddle";
Mutex m = MUTEX;
static void *work(void *a) {
  if (!RACY) lock(&m);
  strcpy(text, "weaver's");
  if (!RACY) unlock(&m);
  return a;
}
int main(void) {
  pthread_t t = start(work, NULL);
  if (!RACY) lock(&m);
  size_t length = strlen(text);
  if (!RACY) unlock(&m);
  finish(t);
  return length > 31;
}
