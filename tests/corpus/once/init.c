// race: safe; deadlock: safe — pthread_once runs the initialisation before every reader
#include <pthread.h>

static int config;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void init(void) { config = 42; }

static int get(void) {
  pthread_once(&once, init);
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
  int z = get();
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return x + y + z - 126;
}
