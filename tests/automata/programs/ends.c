/* What runs before main and after it, and threads that end in the middle of calls. */
#include <pthread.h>
#include <stdlib.h>

static int ready, ended, asked;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

__attribute__((constructor(101))) static void first(void) {
  ready = 1;
}
__attribute__((constructor(102))) static void second(void) {
  ready += 1;
}
__attribute__((destructor)) static void last(void) {
  ended += ready;
}

static void stop(int code) {
  pthread_mutex_lock(&lock);
  asked++;
  pthread_mutex_unlock(&lock);
  if (code) exit(code - 1);
}

static void *leaver(void *arg) {
  int n = arg ? *(int *)arg : 0;
  stop(n);
  return arg;
}

int main(void) {
  pthread_t a;
  int one = 1;
  pthread_create(&a, NULL, leaver, &one);
  stop(0);
  pthread_join(a, NULL);
  return ready - 2;
}
