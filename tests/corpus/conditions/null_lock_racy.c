// race: unsafe lines 9 — the shared sum is changed with a null pointer for the lock
#include <pthread.h>

static int shared_sum;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void add(int *sum, int n, pthread_mutex_t *m) {
  if (m) pthread_mutex_lock(m);
  *sum += n;
  if (m) pthread_mutex_unlock(m);
}

static void *work(void *arg) {
  add(&shared_sum, *(int *)arg, &lock);
  return NULL;
}

int main(void) {
  pthread_t a;
  int one = 1;
  pthread_create(&a, NULL, work, &one);
  add(&shared_sum, 10, NULL);
  pthread_join(a, NULL);
  return shared_sum > 11;
}
