// One thread initialises for all.
#include <assert.h>
#include <pthread.h>

static int times;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void init(void) { times = times + 1; }

static void *work(void *arg) {
  pthread_once(&once, init);
  return arg;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, work, NULL);
  pthread_once(&once, init);
  pthread_join(thread, NULL);
  assert(times == 1);
  return 0;
}
