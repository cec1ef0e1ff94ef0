// race: safe — the mutex is a parameter of the wrappers
#include <pthread.h>

static int apples, pears;
static pthread_mutex_t apple_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t pear_lock = PTHREAD_MUTEX_INITIALIZER;

static void hold(pthread_mutex_t *m) { pthread_mutex_lock(m); }
static void release(pthread_mutex_t *m) { pthread_mutex_unlock(m); }

static void *picker(void *arg) {
  hold(&apple_lock);
  apples++;
  release(&apple_lock);
  hold(&pear_lock);
  pears++;
  release(&pear_lock);
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, picker, NULL);
  pthread_create(&b, NULL, picker, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return apples + pears - 4;
}
