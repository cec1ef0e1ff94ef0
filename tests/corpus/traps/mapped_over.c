// race: safe; deadlock: safe — the second mapping is made where the first one is, and used one after the other
#define _GNU_SOURCE
#include <pthread.h>
#include <stddef.h>
#include <sys/mman.h>

static int *first, *second;

static void *one(void *unused) {
  *first = 1;
  return unused;
}

static void *two(void *unused) {
  *second = 2;
  return unused;
}

int main(void) {
  pthread_t a, b;
  first = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  second = mmap(first, 4096, PROT_READ | PROT_WRITE,
                MAP_FIXED | MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  pthread_create(&a, NULL, one, NULL);
  pthread_join(a, NULL);
  pthread_create(&b, NULL, two, NULL);
  pthread_join(b, NULL);
  return 0;
}
