// race: unsafe lines 10 18 — the lowest bit of the pointer carries a mark
#include <pthread.h>
#include <stdint.h>

static int value;
static uintptr_t link;

static void *follow(void *arg) {
  int *p = (int *)(link & ~(uintptr_t)1);
  *p = 1;
  return arg;
}

int main(void) {
  pthread_t t;
  link = (uintptr_t)&value | 1;
  pthread_create(&t, NULL, follow, NULL);
  value = 2;
  pthread_join(t, NULL);
  return value == 0;
}
