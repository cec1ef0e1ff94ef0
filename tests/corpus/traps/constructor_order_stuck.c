// deadlock: unsafe — a thread that a constructor started takes the locks in the other order
#include <pthread.h>

static pthread_t early;
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t b = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *arg) {
  pthread_mutex_lock(&a);
  pthread_mutex_lock(&b);
  pthread_mutex_unlock(&b);
  pthread_mutex_unlock(&a);
  return arg;
}

__attribute__((constructor)) static void before_main(void) {
  pthread_create(&early, NULL, work, NULL);
}

int main(void) {
  pthread_mutex_lock(&b);
  pthread_mutex_lock(&a);
  pthread_mutex_unlock(&a);
  pthread_mutex_unlock(&b);
  pthread_join(early, NULL);
  return 0;
}
