// All accesses are atomic.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag;

static void *work(void *arg) {
  atomic_fetch_add(&flag, 1);
  return arg;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, work, NULL);
  int seen = atomic_load(&flag);
  return seen < 0;
}
