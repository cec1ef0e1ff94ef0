// race: safe; deadlock: safe — an early return that releases the lock on its way
#include <pthread.h>

static int stock = 3;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int take(int n) {
  pthread_mutex_lock(&lock);
  if (stock < n) {
    pthread_mutex_unlock(&lock);
    return -1;
  }
  stock -= n;
  int left = stock;
  pthread_mutex_unlock(&lock);
  return left;
}

static void *buyer(void *arg) {
  (void)arg;
  take(2);
  take(1);
  return NULL;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, buyer, NULL);
  take(1);
  pthread_join(t, NULL);
  return 0;
}
