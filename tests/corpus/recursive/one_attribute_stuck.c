// deadlock: unsafe; race: safe — one attribute for two mutexes, and the plain one is taken twice
#include <pthread.h>

static int value;
static pthread_mutex_t plain, again;

static void *work(void *arg) {
  pthread_mutex_lock(&again);
  pthread_mutex_lock(&plain);
  pthread_mutex_lock(&plain);
  value++;
  pthread_mutex_unlock(&plain);
  pthread_mutex_unlock(&plain);
  pthread_mutex_unlock(&again);
  return arg;
}

int main(void) {
  pthread_t t, u;
  pthread_mutexattr_t attr;
  pthread_mutexattr_init(&attr);
  pthread_mutex_init(&plain, &attr);
  pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_RECURSIVE);
  pthread_mutex_init(&again, &attr);
  pthread_create(&t, NULL, work, NULL);
  pthread_create(&u, NULL, work, NULL);
  pthread_join(t, NULL);
  pthread_join(u, NULL);
  return value - 2;
}
