// race: safe — only one thread uses strtok
#include <pthread.h>
#include <string.h>

static char text[] = "a b c";
static int words;
static size_t length;

static void *split(void *arg) {
  for (char *w = strtok(text, " "); w; w = strtok(NULL, " ")) words++;
  return arg;
}

static void *measure(void *arg) {
  length = strlen("a b c");
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, split, NULL);
  pthread_create(&b, NULL, measure, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return words - 3 + (length != 5);
}
