// deadlock: unsafe — a cycle over three locks and three threads
#include <pthread.h>

static pthread_mutex_t lock[3] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER,
                                  PTHREAD_MUTEX_INITIALIZER};

static void both(pthread_mutex_t *first, pthread_mutex_t *second) {
  pthread_mutex_lock(first);
  pthread_mutex_lock(second);
  pthread_mutex_unlock(second);
  pthread_mutex_unlock(first);
}

static void *t01(void *arg) {
  both(&lock[0], &lock[1]);
  return arg;
}

static void *t12(void *arg) {
  both(&lock[1], &lock[2]);
  return arg;
}

static void *t20(void *arg) {
  both(&lock[2], &lock[0]);
  return arg;
}

int main(void) {
  pthread_t t[3];
  pthread_create(&t[0], NULL, t01, NULL);
  pthread_create(&t[1], NULL, t12, NULL);
  pthread_create(&t[2], NULL, t20, NULL);
  for (int i = 0; i < 3; i++) pthread_join(t[i], NULL);
  return 0;
}
