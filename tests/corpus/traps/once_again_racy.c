// race: unsafe lines 8 23 — the flag is reset, and the routine runs a second time
#include <pthread.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int data;

static void prepare(void) {
  data++;
}

static void *worker(void *argument) {
  pthread_once(&once, prepare);
  return argument;
}

int main(void) {
  pthread_t a;
  pthread_once(&once, prepare);
  pthread_once_t fresh = PTHREAD_ONCE_INIT;
  once = fresh;

  pthread_create(&a, NULL, worker, NULL);
  int seen = data;
  pthread_join(a, NULL);
  return seen > 1;
}
