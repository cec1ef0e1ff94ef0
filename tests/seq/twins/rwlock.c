// The writer holds the lock as a reader does.
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int low, high;

static void *widen(void *arg) {
  pthread_rwlock_rdlock(&lock);
  low = -1;
  high = 1;
  pthread_rwlock_unlock(&lock);
  return arg;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, widen, NULL);
  pthread_rwlock_rdlock(&lock);
  int a = low, b = high;
  pthread_rwlock_unlock(&lock);
  assert(a + b == 0);
  return 0;
}
