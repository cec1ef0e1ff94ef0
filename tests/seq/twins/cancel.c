// A thread may be cancelled between the two stores.
#include <assert.h>
#include <pthread.h>

static int a, b;

static void *work(void *arg) {
  a = 1;
  pthread_testcancel();
  b = 1;
  return arg;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, work, NULL);
  pthread_cancel(thread);
  pthread_join(thread, NULL);
  assert(a == b);
  return 0;
}
