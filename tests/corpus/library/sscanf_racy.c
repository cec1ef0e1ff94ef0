// race: unsafe lines 8 15 — sscanf stores into a variable that the main thread reads
#include <pthread.h>
#include <stdio.h>

static int number;

static void *parse(void *arg) {
  sscanf("42", "%d", &number);
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, parse, NULL);
  int early = number;
  pthread_join(t, NULL);
  return number - 42 + (early > 42);
}
