// race: safe; deadlock: safe — the text is changed when the thread that prints it has ended
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
  pthread_join(t, NULL);
  name[0] = 'O';
  return 0;
}
