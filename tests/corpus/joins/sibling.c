// race: safe — one thread joins its sibling and then reads what that wrote
#include <pthread.h>

static int value, copy;

static void *writer(void *arg) {
  value = 5;
  return arg;
}

static void *reader(void *arg) {
  pthread_t *sibling = arg;
  pthread_join(*sibling, NULL);
  copy = value;
  return NULL;
}

int main(void) {
  pthread_t w, r;
  pthread_create(&w, NULL, writer, NULL);
  pthread_create(&r, NULL, reader, &w);
  pthread_join(r, NULL);
  return copy + value - 10;
}
