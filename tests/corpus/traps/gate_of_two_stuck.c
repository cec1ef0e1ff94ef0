// deadlock: unsafe — each thread has a gate, but not the same one
#include <pthread.h>

static pthread_mutex_t gate[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t b = PTHREAD_MUTEX_INITIALIZER;

static void both(pthread_mutex_t *g, pthread_mutex_t *first, pthread_mutex_t *second) {
  pthread_mutex_lock(g);
  pthread_mutex_lock(first);
  pthread_mutex_lock(second);
  pthread_mutex_unlock(second);
  pthread_mutex_unlock(first);
  pthread_mutex_unlock(g);
}

static void *one(void *arg) {
  both(&gate[0], &a, &b);
  return arg;
}

static void *two(void *arg) {
  both(&gate[1], &b, &a);
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
