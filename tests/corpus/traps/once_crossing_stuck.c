// deadlock: unsafe — each of two one-time initialisers awaits the other one
#include <pthread.h>

static pthread_once_t first = PTHREAD_ONCE_INIT, second = PTHREAD_ONCE_INIT;

static void nothing(void) {}

static void make_first(void) {
  pthread_once(&second, nothing);
}

static void make_second(void) {
  pthread_once(&first, nothing);
}

static void *one(void *arg) {
  pthread_once(&first, make_first);
  return arg;
}

static void *two(void *arg) {
  pthread_once(&second, make_second);
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, one, NULL);
  pthread_create(&b, NULL, two, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
