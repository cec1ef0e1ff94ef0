// race: unsafe lines 9 — which implementation runs is chosen when the program starts
#define _GNU_SOURCE
#include <pthread.h>
#include <stddef.h>

static int counter;

static void add(void) {
  counter++;
}

static void *choose(void) {
  return (void *)add;
}

static void count(void) __attribute__((ifunc("choose")));

static void *work(void *unused) {
  count();
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, work, NULL);
  pthread_create(&b, NULL, work, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
