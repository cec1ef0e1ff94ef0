// race: safe; deadlock: safe — only the stream uses the buffer that it was given
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>

static char buffer[BUFSIZ];

static void *work(void *unused) {
  puts("a");
  return unused;
}

int main(void) {
  pthread_t a, b;
  setvbuf(stdout, buffer, _IOFBF, sizeof buffer);
  pthread_create(&a, NULL, work, NULL);
  pthread_create(&b, NULL, work, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
