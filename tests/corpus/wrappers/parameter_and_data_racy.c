// race: unsafe lines 10 — two callers pair the same data with different locks
#include <pthread.h>

static int left, right;
static pthread_mutex_t left_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t right_lock = PTHREAD_MUTEX_INITIALIZER;

static void add(pthread_mutex_t *m, int *data, int n) {
  pthread_mutex_lock(m);
  *data += n;
  pthread_mutex_unlock(m);
}

static void *worker(void *arg) {
  add(&left_lock, &left, 1);
  add(&right_lock, &right, 2);
  return arg;
}

static void *muddle(void *arg) {
  add(&left_lock, &right, 5);
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, worker, NULL);
  pthread_create(&b, NULL, muddle, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return left + right > 8;
}
