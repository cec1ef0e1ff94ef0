// race: unsafe lines 7 21 — the id of the first thread is overwritten, so only the second is joined
#include <pthread.h>

static int value, other;

static void *first(void *arg) {
  value = 1;
  return arg;
}

static void *second(void *arg) {
  other = 2;
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, first, NULL);
  pthread_create(&t, NULL, second, NULL);
  pthread_join(t, NULL);
  return value + other > 3;
}
