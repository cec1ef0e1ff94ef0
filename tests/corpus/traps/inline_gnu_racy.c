// race: unsafe lines 7 — the body of an extern inline function of GNU C
#include <pthread.h>

static int counter;

extern inline __attribute__((gnu_inline, always_inline)) void *step(void *arg) {
  counter++;
  return arg;
}

static void *work(void *arg) { return step(arg); }

int main(void) {
  pthread_t t;
  if (pthread_create(&t, NULL, work, NULL)) return 1;
  step(NULL);
  pthread_join(t, NULL);
  return 0;
}
