// race: unsafe lines 10 — strtok keeps its place in a hidden state that all threads share
#include <pthread.h>
#include <string.h>

static char left[] = "a b", right[] = "c d";

static void *split(void *arg) {
  char *text = arg;
  int n = 0;
  for (char *w = strtok(text, " "); w; w = strtok(NULL, " ")) n++;
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
