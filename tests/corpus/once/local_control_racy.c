// race: unsafe lines 6 — the control block of pthread_once lies on each caller's stack
#include <pthread.h>

static int config;

static void init(void) { config++; }

static void *user(void *arg) {
  pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, init);
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, user, NULL);
  pthread_create(&b, NULL, user, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return config > 2;
}
