// One thread looks before it has met the other.
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>

static pthread_barrier_t meeting;
static int ready;

static void *work(void *arg) {
  ready = 1;
  pthread_barrier_wait(&meeting);
  return arg;
}

int main(void) {
  pthread_t thread;
  pthread_barrier_init(&meeting, NULL, 2);
  pthread_create(&thread, NULL, work, NULL);
  int seen = ready;
  pthread_barrier_wait(&meeting);
  assert(seen == 1);
  return 0;
}
