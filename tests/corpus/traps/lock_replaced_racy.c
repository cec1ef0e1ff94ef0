// race: unsafe lines 12 — the current lock is replaced between the creations of two threads
#include <pthread.h>

static int value;
static pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t second = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t *current = &first;

static void *work(void *arg) {
  pthread_mutex_t *m = arg;
  pthread_mutex_lock(m);
  value++;
  pthread_mutex_unlock(m);
  return NULL;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, work, current);
  current = &second;
  pthread_create(&b, NULL, work, current);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return value > 2;
}
