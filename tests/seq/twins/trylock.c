// Whether the lock was had is not looked at.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int inside;

static void *work(void *arg) {
  int busy = pthread_mutex_trylock(&lock);
  inside = inside + 1;
  assert(inside == 1);
  inside = inside - 1;
  if (!busy) pthread_mutex_unlock(&lock);
  return arg;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, work, NULL);
  work(NULL);
  return 0;
}
