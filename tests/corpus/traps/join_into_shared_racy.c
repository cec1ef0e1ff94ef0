// race: unsafe lines 14 22 — two threads join others, and both put the result at one place
#include <pthread.h>
#include <stddef.h>

static void *result;

static void *quick(void *arg) {
  return arg;
}

static void *work(void *arg) {
  pthread_t own;
  pthread_create(&own, NULL, quick, arg);
  pthread_join(own, &result);
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, work, NULL);
  pthread_create(&b, NULL, quick, NULL);
  pthread_join(b, &result);
  pthread_join(a, NULL);
  return 0;
}
