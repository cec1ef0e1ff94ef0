// deadlock: unsafe — a function of which nothing is known may call what it is given, under a lock
#include <pthread.h>

extern void run(void (*)(void));

static pthread_mutex_t outer = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t inner = PTHREAD_MUTEX_INITIALIZER;

static void take(void) {
  pthread_mutex_lock(&inner);
  pthread_mutex_unlock(&inner);
}

static void *work(void *arg) {
  pthread_mutex_lock(&outer);
  run(take);
  pthread_mutex_unlock(&outer);
  return arg;
}

int main(void) {
  pthread_t a;
  pthread_create(&a, NULL, work, NULL);
  pthread_mutex_lock(&inner);
  pthread_mutex_lock(&outer);
  pthread_mutex_unlock(&outer);
  pthread_mutex_unlock(&inner);
  pthread_join(a, NULL);
  return 0;
}
