// deadlock: unsafe — the initialisation needs the lock that a waiting caller holds
#include <pthread.h>

static int config;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void init(void) {
  pthread_mutex_lock(&lock);
  config = 1;
  pthread_mutex_unlock(&lock);
}

static void *plain(void *arg) {
  pthread_once(&once, init);
  return arg;
}

static void *locked(void *arg) {
  pthread_mutex_lock(&lock);
  pthread_once(&once, init);
  pthread_mutex_unlock(&lock);
  return arg;
}

int main(void) {
  pthread_t t, u;
  pthread_create(&t, NULL, plain, NULL);
  pthread_create(&u, NULL, locked, NULL);
  pthread_join(t, NULL);
  pthread_join(u, NULL);
  return config - 1;
}
