// race: unsafe lines 13 22 — a function that only may be a point of cancellation need not act on a request
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_int go;
static int x;

static void *work(void *arg) {
  while (!atomic_load(&go)) {
  }
  fputc('a', stdout);
  x = 2;
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, work, NULL);
  pthread_cancel(t);
  atomic_store(&go, 1);
  x = 1;
  pthread_join(t, NULL);
  return 0;
}
