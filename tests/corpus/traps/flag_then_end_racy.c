// race: unsafe lines 9 — the last thing that main does lets the threads go on
#include <pthread.h>
#include <stdatomic.h>

static atomic_int go;
static int data;

static void *worker(void *argument) {
  if (go) data++;
  return argument;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, worker, NULL);
  pthread_create(&b, NULL, worker, NULL);
  go = 1;
  return 0;
}
