// race: unsafe lines 12 — the difference of two pointers, one of which is not known, may be 0
#include <pthread.h>
#include <stdatomic.h>

static char buffer[8];
static _Atomic(char *) place = buffer;
static int data;

static void *worker(void *argument) {
  char *here = buffer;
  char *there = atomic_load_explicit(&place, memory_order_relaxed);
  if (here - there == 0) data++;
  return argument;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, worker, NULL);
  pthread_create(&b, NULL, worker, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
