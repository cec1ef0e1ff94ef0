// The result is read without waiting for the thread.
#include <assert.h>
#include <pthread.h>

static int result;

static void *work(void *arg) {
  result = 1;
  result = 2;
  return &result;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, work, NULL);
  int seen = result;
  assert(seen != 1);
  return 0;
}
