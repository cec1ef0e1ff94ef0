// Who does not get the lock goes away.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int inside;

static void *work(void *arg) {
  int busy = pthread_mutex_trylock(&lock);
  if (busy) return arg;
  inside = inside + 1;
  assert(inside == 1);
  inside = inside - 1;
  pthread_mutex_unlock(&lock);
  return arg;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, work, NULL);
  work(NULL);
  return 0;
}
