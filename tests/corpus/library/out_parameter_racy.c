// race: unsafe lines 8 — two threads let the library store into the same variable
#include <pthread.h>
#include <time.h>

static struct timespec now;

static void *ask(void *arg) {
  clock_gettime(CLOCK_MONOTONIC, &now);
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, ask, NULL);
  pthread_create(&b, NULL, ask, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return now.tv_sec < 0;
}
