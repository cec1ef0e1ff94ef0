// race: unsafe lines 9 14 — output goes to the buffer that the stream was given
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>

static char buffer[BUFSIZ];

static void *writer(void *unused) {
  puts("a");
  return unused;
}

static void *eraser(void *unused) {
  buffer[0] = 0;
  return unused;
}

int main(void) {
  pthread_t a, b;
  setvbuf(stdout, buffer, _IOFBF, sizeof buffer);
  pthread_create(&a, NULL, writer, NULL);
  pthread_create(&b, NULL, eraser, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
