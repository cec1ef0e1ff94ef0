// race: unsafe lines 13 20 — the wrapper is given the wrong mutex by one caller
#include <pthread.h>

static int apples;
static pthread_mutex_t apple_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t pear_lock = PTHREAD_MUTEX_INITIALIZER;

static void hold(pthread_mutex_t *m) { pthread_mutex_lock(m); }
static void release(pthread_mutex_t *m) { pthread_mutex_unlock(m); }

static void *picker(void *arg) {
  hold(&apple_lock);
  apples++;
  release(&apple_lock);
  return arg;
}

static void *eater(void *arg) {
  hold(&pear_lock);
  apples--;
  release(&pear_lock);
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, picker, NULL);
  pthread_create(&b, NULL, eater, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return apples > 1;
}
