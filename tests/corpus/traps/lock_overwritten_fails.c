// assert: unsafe — a mutex that is overwritten is free, and two threads are inside
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static const pthread_mutex_t fresh = PTHREAD_MUTEX_INITIALIZER;
static int owner;

static void *work(void *arg) {
  int me = arg ? 1 : 2;
  pthread_mutex_lock(&lock);
  owner = me;
  assert(owner == me);
  pthread_mutex_unlock(&lock);
  return NULL;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, work, &owner);
  pthread_create(&b, NULL, work, NULL);
  lock = fresh;
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
