// race: unsafe lines 11 — strsep cuts the text that its argument's pointer points to
#define _DEFAULT_SOURCE
#include <pthread.h>
#include <string.h>

static char text[] = "a,b,c";

static void *split(void *arg) {
  char *cursor = text;
  int parts = 0;
  while (strsep(&cursor, ",")) parts++;
  *(int *)arg = parts;
  return NULL;
}

int main(void) {
  pthread_t a, b;
  int x, y;
  pthread_create(&a, NULL, split, &x);
  pthread_create(&b, NULL, split, &y);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return x + y;
}
