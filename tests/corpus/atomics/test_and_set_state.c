// race: safe — a state variable set under a lock protects the work done outside of it
#include <pthread.h>

static int in_use, value;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *bump(void *arg) {
  for (;;) {
    pthread_mutex_lock(&lock);
    int was = in_use;
    in_use = 1;
    pthread_mutex_unlock(&lock);
    if (!was) break;
  }
  value++;
  pthread_mutex_lock(&lock);
  in_use = 0;
  pthread_mutex_unlock(&lock);
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, bump, NULL);
  pthread_create(&b, NULL, bump, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return value - 2;
}
