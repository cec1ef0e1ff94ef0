// deadlock: unsafe — the thread of the first phase is joined only after the second has begun
#include <pthread.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t b = PTHREAD_MUTEX_INITIALIZER;

static void *one(void *arg) {
  pthread_mutex_lock(&a);
  pthread_mutex_lock(&b);
  pthread_mutex_unlock(&b);
  pthread_mutex_unlock(&a);
  return arg;
}

static void *idle(void *arg) { return arg; }

static void *two(void *arg) {
  pthread_mutex_lock(&b);
  pthread_mutex_lock(&a);
  pthread_mutex_unlock(&a);
  pthread_mutex_unlock(&b);
  return arg;
}

int main(void) {
  pthread_t t, u, v;
  pthread_create(&t, NULL, one, NULL);
  pthread_create(&u, NULL, idle, NULL);
  pthread_join(u, NULL);
  pthread_create(&v, NULL, two, NULL);
  pthread_join(t, NULL);
  pthread_join(v, NULL);
  return 0;
}
