// deadlock: unsafe — the second lock is taken by a function that is reached through a pointer
#include <pthread.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t b = PTHREAD_MUTEX_INITIALIZER;

static void touch_a(void) {
  pthread_mutex_lock(&a);
  pthread_mutex_unlock(&a);
}

static void touch_b(void) {
  pthread_mutex_lock(&b);
  pthread_mutex_unlock(&b);
}

static void with(pthread_mutex_t *m, void (*body)(void)) {
  pthread_mutex_lock(m);
  body();
  pthread_mutex_unlock(m);
}

static void *one(void *arg) {
  with(&a, touch_b);
  return arg;
}

static void *two(void *arg) {
  with(&b, touch_a);
  return arg;
}

int main(void) {
  pthread_t t, u;
  pthread_create(&t, NULL, one, NULL);
  pthread_create(&u, NULL, two, NULL);
  pthread_join(t, NULL);
  pthread_join(u, NULL);
  return 0;
}
