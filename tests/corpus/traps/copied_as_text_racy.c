// race: unsafe lines 15 — the bytes of a pointer are copied as a string
#define _GNU_SOURCE
#include <pthread.h>
#include <stddef.h>
#include <string.h>

static int counter;
static union {
  int *pointer;
  char bytes[sizeof(int *) + 1];
} from, to;

static void *work(void *unused) {
  if (to.pointer)
    ++*to.pointer;
  return unused;
}

int main(void) {
  pthread_t a, b;
  from.pointer = &counter;
  strcpy(to.bytes, from.bytes);
  pthread_create(&a, NULL, work, NULL);
  pthread_create(&b, NULL, work, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
