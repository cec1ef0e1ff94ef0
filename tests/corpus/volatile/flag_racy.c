// race: unsafe lines 8 9 16 17 — a volatile flag is no synchronisation: flag and data race
#include <pthread.h>

static int data;
static volatile int ready;

static void *giver(void *arg) {
  data = 5;
  ready = 1;
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, giver, NULL);
  while (!ready) {}
  int got = data;
  pthread_join(t, NULL);
  return got > 5;
}
