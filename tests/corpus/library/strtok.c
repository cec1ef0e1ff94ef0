// race: safe — strtok_r keeps its place where the caller says
#include <pthread.h>
#include <string.h>

static char left[] = "a b", right[] = "c d";

static void *split(void *arg) {
  char *text = arg, *place;
  int n = 0;
  for (char *w = strtok_r(text, " ", &place); w; w = strtok_r(NULL, " ", &place)) n++;
  return n ? arg : NULL;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, split, left);
  pthread_create(&b, NULL, split, right);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
