// race: safe; deadlock: unsafe — an early return forgets to release the lock
#include <pthread.h>

static int stock = 1;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int take(int n) {
  pthread_mutex_lock(&lock);
  if (stock < n) return -1;
  stock -= n;
  pthread_mutex_unlock(&lock);
  return 0;
}

static void *buyer(void *arg) {
  take(1);
  return arg;
}

int main(void) {
  pthread_t t[3];
  for (int i = 0; i < 3; i++) pthread_create(&t[i], NULL, buyer, NULL);
  for (int i = 0; i < 3; i++) pthread_join(t[i], NULL);
  return stock;
}
