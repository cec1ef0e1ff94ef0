// race: unsafe lines 7 13 — the thread reads first and joins its sibling afterwards
#include <pthread.h>

static int value, copy;

static void *writer(void *arg) {
  value = 5;
  return arg;
}

static void *reader(void *arg) {
  pthread_t *sibling = arg;
  copy = value;
  pthread_join(*sibling, NULL);
  return NULL;
}

int main(void) {
  pthread_t w, r;
  pthread_create(&w, NULL, writer, NULL);
  pthread_create(&r, NULL, reader, &w);
  pthread_join(r, NULL);
  return copy + value > 10;
}
