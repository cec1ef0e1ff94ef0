// race: unsafe lines 8 15 — the stream is locked, but the text that is printed is not
#include <pthread.h>
#include <stdio.h>

static char name[8] = "Ann";

static void *greet(void *arg) {
  printf("hello %s\n", name);
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, greet, NULL);
  name[0] = 'O';
  pthread_join(t, NULL);
  return 0;
}
