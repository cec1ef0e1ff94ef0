/* strtok keeps its place in a hidden variable. */
#include "small.h"

static void split(char *text) {
  char *place = NULL;
  for (char *w = RACY ? strtok(text, " ") : strtok_r(text, " ", &place); w;
       w = RACY ? strtok(NULL, " ") : strtok_r(NULL, " ", &place)) {
  }
}
static void *work(void *a) {
  char text[] = "weft and warp";
  split(text);
  return a;
}
int main(void) {
  char text[] = "shed and beam";
  pthread_t t = start(work, NULL);
  split(text);
  finish(t);
  return 0;
}
