// race: unsafe lines 8 11 12 16 — double-checked locking with a plain flag
#include <pthread.h>

static int config, ready;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int get(void) {
  if (!ready) {
    pthread_mutex_lock(&lock);
    if (!ready) {
      config = 42;
      ready = 1;
    }
    pthread_mutex_unlock(&lock);
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
