// race: unsafe lines 11 — pthread_once orders the first write, not the later ones
#include <pthread.h>

static int config;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void init(void) { config = 42; }

static void *user(void *arg) {
  pthread_once(&once, init);
  config += *(int *)arg;
  return NULL;
}

int main(void) {
  pthread_t a, b;
  int one = 1, two = 2;
  pthread_create(&a, NULL, user, &one);
  pthread_create(&b, NULL, user, &two);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return config > 45;
}
