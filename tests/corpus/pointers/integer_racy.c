// race: unsafe lines 10 18 — the address travels as an integer
#include <pthread.h>
#include <stdint.h>

static int value;
static uintptr_t hidden;

static void *follow(void *arg) {
  int *p = (int *)(hidden ^ 0x5a5a);
  *p = 1;
  return arg;
}

int main(void) {
  pthread_t t;
  hidden = (uintptr_t)&value ^ 0x5a5a;
  pthread_create(&t, NULL, follow, NULL);
  value = 2;
  pthread_join(t, NULL);
  return value == 0;
}
