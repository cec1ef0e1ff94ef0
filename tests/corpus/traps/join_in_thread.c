// race: safe — the main thread waits for the helper that has joined the worker
#include <pthread.h>

static int value;
static pthread_t worker;

static void *work(void *arg) {
  value = 1;
  return arg;
}

static void *waiter(void *arg) {
  pthread_join(worker, NULL);
  return arg;
}

int main(void) {
  pthread_t w;
  pthread_create(&worker, NULL, work, NULL);
  pthread_create(&w, NULL, waiter, NULL);
  pthread_join(w, NULL);
  return value - 1;
}
