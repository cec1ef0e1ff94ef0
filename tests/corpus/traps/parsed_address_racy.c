// race: unsafe lines 12 — the address of the counter was read as a number
#define _GNU_SOURCE
#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>

#define PLACE 0x40000000

static int *counter;

static void *work(void *unused) {
  (*counter)++;
  return unused;
}

int main(void) {
  pthread_t a, b;
  if (mmap((void *)PLACE, 4096, PROT_READ | PROT_WRITE,
           MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == MAP_FAILED)
    return 1;
  counter = (int *)strtoul("40000000", NULL, 16);
  pthread_create(&a, NULL, work, NULL);
  pthread_create(&b, NULL, work, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
