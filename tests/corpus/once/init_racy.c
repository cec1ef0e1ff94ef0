// race: unsafe lines 7 19 — one reader relies on somebody else's call of pthread_once
#include <pthread.h>

static int config;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void init(void) { config = 42; }

static void *user(void *arg) {
  pthread_once(&once, init);
  *(int *)arg = config;
  return NULL;
}

int main(void) {
  pthread_t a;
  int x;
  pthread_create(&a, NULL, user, &x);
  int z = config;
  pthread_join(a, NULL);
  return x - 42 + (z > 42);
}
