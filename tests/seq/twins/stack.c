// The thread gets the address of a variable of main, and main goes on without it.
#include <assert.h>
#include <pthread.h>

static void *work(void *arg) {
  int *n = arg;
  assert(*n == 5);
  return 0;
}

static void begin(pthread_t *thread, int *n) { pthread_create(thread, NULL, work, n); }

int main(void) {
  pthread_t thread;
  int n = 5;
  begin(&thread, &n);
  n = 6;
  pthread_join(thread, NULL);
  return 0;
}
