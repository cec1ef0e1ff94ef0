// race: unsafe lines 10 — an address that is kept as its negative
#define _GNU_SOURCE
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

static int counter, *back;

static void *work(void *unused) {
  (*back)++;
  return unused;
}

int main(void) {
  pthread_t a, b;
  uintptr_t negative = -(uintptr_t)&counter;
  back = (int *)-negative;
  pthread_create(&a, NULL, work, NULL);
  pthread_create(&b, NULL, work, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
