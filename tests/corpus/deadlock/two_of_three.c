// deadlock: safe — the orders form a cycle of three, but only two threads ever run
#include <pthread.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t b = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t c = PTHREAD_MUTEX_INITIALIZER;

static void both(pthread_mutex_t *first, pthread_mutex_t *second) {
  pthread_mutex_lock(first);
  pthread_mutex_lock(second);
  pthread_mutex_unlock(second);
  pthread_mutex_unlock(first);
}

static void *two_steps(void *arg) {
  both(&a, &b);
  both(&b, &c);
  return arg;
}

static void *last_step(void *arg) {
  both(&c, &a);
  return arg;
}

int main(void) {
  pthread_t t, u;
  pthread_create(&t, NULL, two_steps, NULL);
  pthread_create(&u, NULL, last_step, NULL);
  pthread_join(t, NULL);
  pthread_join(u, NULL);
  return 0;
}
