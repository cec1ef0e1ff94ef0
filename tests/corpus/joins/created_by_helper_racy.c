// race: unsafe lines 8 19 — the helper that starts the thread is called twice, the id kept once
#include <pthread.h>

static int value;
static pthread_t worker;

static void *work(void *arg) {
  value++;
  return arg;
}

static void start(void) { pthread_create(&worker, NULL, work, NULL); }
static void stop(void) { pthread_join(worker, NULL); }

int main(void) {
  start();
  start();
  stop();
  return value > 2;
}
