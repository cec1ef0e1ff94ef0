// Each thread initialises for itself.
#include <assert.h>
#include <pthread.h>

static int times;

static void init(void) { times = times + 1; }

static void *work(void *arg) {
  init();
  return arg;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, work, NULL);
  init();
  pthread_join(thread, NULL);
  assert(times == 1);
  return 0;
}
