// race: unsafe lines 7 11 — two control blocks let the same initialisation run twice
#include <pthread.h>

static int config;
static pthread_once_t mine = PTHREAD_ONCE_INIT, yours = PTHREAD_ONCE_INIT;

static void init(void) { config = 42; }

static void *user(void *arg) {
  pthread_once(&mine, init);
  *(int *)arg = config;
  return NULL;
}

static void *other(void *arg) {
  pthread_once(&yours, init);
  return arg;
}

int main(void) {
  pthread_t a, b;
  int x;
  pthread_create(&a, NULL, user, &x);
  pthread_create(&b, NULL, other, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return x - 42;
}
