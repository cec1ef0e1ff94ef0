// A recursive mutex is free when it was left as often as it was taken.
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static int a, b;

static void both(void) {
  pthread_mutex_lock(&lock);
  b = b + 1;
  pthread_mutex_unlock(&lock);
}

static void *work(void *arg) {
  pthread_mutex_lock(&lock);
  a = a + 1;
  both();
  assert(a == b);
  pthread_mutex_unlock(&lock);
  return arg;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, work, NULL);
  work(NULL);
  return 0;
}
