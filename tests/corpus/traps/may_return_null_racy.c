// race: unsafe lines 10 — fgets returns its argument or nothing at the end of the input
#include <pthread.h>
#include <stdio.h>

static int ends;

static void *work(void *arg) {
  char line[80];
  if (!fgets(line, sizeof line, stdin))
    ends++;
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, work, NULL);
  pthread_create(&b, NULL, work, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return ends;
}
