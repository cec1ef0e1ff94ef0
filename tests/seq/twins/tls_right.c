// A counter of which each thread has its own.
#include <assert.h>
#include <pthread.h>

static _Thread_local int count = 3;

static void *work(void *arg) {
  count = count + 1;
  assert(count == 4);
  return arg;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, work, NULL);
  work(NULL);
  pthread_join(thread, NULL);
  return 0;
}
