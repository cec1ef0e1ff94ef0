// race: unsafe lines 9 14 — a pointer is kept as two numbers of half its size
#include <pthread.h>
#include <stdint.h>

static int x;
static uint32_t low, high;

static void *one(void *arg) {
  *(int *)((uintptr_t)high << 32 | low) = 1;
  return arg;
}

static void *two(void *arg) {
  x = 2;
  return arg;
}

int main(void) {
  pthread_t a, b;
  low = (uint32_t)(uintptr_t)&x;
  high = (uint32_t)((uintptr_t)&x >> 32);
  pthread_create(&a, NULL, one, NULL);
  pthread_create(&b, NULL, two, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
