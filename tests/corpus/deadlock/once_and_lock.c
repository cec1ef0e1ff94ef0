// deadlock: safe; race: safe — everybody calls pthread_once before taking the lock
#include <pthread.h>

static int config;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void init(void) {
  pthread_mutex_lock(&lock);
  config = 1;
  pthread_mutex_unlock(&lock);
}

static void *user(void *arg) {
  pthread_once(&once, init);
  pthread_mutex_lock(&lock);
  config++;
  pthread_mutex_unlock(&lock);
  return arg;
}

int main(void) {
  pthread_t t, u;
  pthread_create(&t, NULL, user, NULL);
  pthread_create(&u, NULL, user, NULL);
  pthread_join(t, NULL);
  pthread_join(u, NULL);
  return config - 3;
}
