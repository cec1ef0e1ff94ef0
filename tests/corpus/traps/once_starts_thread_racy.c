// race: unsafe lines 8 21 — the one-time initialisation starts a thread that goes on afterwards
#include <pthread.h>

static int value;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void *background(void *arg) {
  value = 1;
  return arg;
}

static void init(void) {
  pthread_t t;
  pthread_create(&t, NULL, background, NULL);
  pthread_detach(t);
}

int main(void) {
  value = 5;
  pthread_once(&once, init);
  return value > 5;
}
