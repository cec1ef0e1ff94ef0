// race: unsafe lines 7 8 9 11 — a plain flag instead of pthread_once
#include <pthread.h>

static int config, ready;

static int get(void) {
  if (!ready) {
    config = 42;
    ready = 1;
  }
  return config;
}

static void *user(void *arg) {
  *(int *)arg = get();
  return NULL;
}

int main(void) {
  pthread_t a, b;
  int x, y;
  pthread_create(&a, NULL, user, &x);
  pthread_create(&b, NULL, user, &y);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return x - y;
}
