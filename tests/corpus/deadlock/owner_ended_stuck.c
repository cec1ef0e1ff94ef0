// deadlock: unsafe — a thread ends while it holds the lock that another one needs
#include <pthread.h>

static int value;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *careless(void *arg) {
  pthread_mutex_lock(&lock);
  value = 1;
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, careless, NULL);
  pthread_join(t, NULL);
  pthread_mutex_lock(&lock);
  value++;
  pthread_mutex_unlock(&lock);
  return 0;
}
