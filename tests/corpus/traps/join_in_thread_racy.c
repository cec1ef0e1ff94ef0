// race: unsafe lines 8 21 — a helper thread joins the worker, but the main thread does not wait for it
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
  int seen = value;
  pthread_join(w, NULL);
  return seen + value > 2;
}
