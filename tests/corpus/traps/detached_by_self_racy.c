// race: unsafe lines 8 19 — a thread that detaches itself cannot be waited for by joining another
#include <pthread.h>

static int value;

static void *loner(void *arg) {
  pthread_detach(pthread_self());
  value = 1;
  return arg;
}

static void *friendly(void *arg) { return arg; }

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, loner, NULL);
  pthread_create(&b, NULL, friendly, NULL);
  pthread_join(b, NULL);
  return value > 1;
}
