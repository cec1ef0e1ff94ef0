// deadlock: unsafe — a third thread releases the gate that keeps the other two apart
#include <pthread.h>

static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t left = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t right = PTHREAD_MUTEX_INITIALIZER;

static void both(pthread_mutex_t *first, pthread_mutex_t *second) {
  pthread_mutex_lock(&gate);
  pthread_mutex_lock(first);
  pthread_mutex_lock(second);
  pthread_mutex_unlock(second);
  pthread_mutex_unlock(first);
  pthread_mutex_unlock(&gate);
}

static void *forth(void *arg) {
  both(&left, &right);
  return arg;
}

static void *back(void *arg) {
  both(&right, &left);
  return arg;
}

static void *opener(void *arg) {
  pthread_mutex_unlock(&gate);
  return arg;
}

int main(void) {
  pthread_t a, b, c;
  pthread_create(&a, NULL, forth, NULL);
  pthread_create(&b, NULL, back, NULL);
  pthread_create(&c, NULL, opener, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  pthread_join(c, NULL);
  return 0;
}
