// race: unsafe lines 10 11 16 — output goes to the memory that the stream stands for
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>

static char text[100];
static FILE *stream;

static void *writer(void *unused) {
  fputs("a", stream);
  fflush(stream);
  return unused;
}

static void *eraser(void *unused) {
  text[0] = 0;
  return unused;
}

int main(void) {
  pthread_t a, b;
  stream = fmemopen(text, sizeof text, "w");
  if (!stream) return 1;
  pthread_create(&a, NULL, writer, NULL);
  pthread_create(&b, NULL, eraser, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
