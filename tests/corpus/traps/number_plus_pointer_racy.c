// race: unsafe lines 12 — an address is the sum of two arguments, and the first one is only a number
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

static char cell[8];
static _Atomic(char *) place = cell;
static _Atomic unsigned char number = 3;

static void put(uintptr_t by, uintptr_t to) {
  uintptr_t once = 1;
  *(char *)(by + to * once) = 1;
}

static void *worker(void *argument) {
  put(number, (uintptr_t)place);
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
