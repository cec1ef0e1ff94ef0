// race: unsafe lines 9 25 — a thread exits, and the exit handler runs in it beside main
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

static int value;

static void at_end(void) {
  value = 1;
}

static void *work(void *arg) {
  if (arg) {
    exit(0);
  }
  return NULL;
}

int main(void) {
  pthread_t t;
  static int one;
  atexit(at_end);
  pthread_create(&t, NULL, work, &one);
  for (int i = 0; i < 100; i++)
    value = 2;
  pthread_join(t, NULL);
  return 0;
}
