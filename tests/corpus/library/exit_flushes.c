// race: safe — exit flushes what every thread uses with its lock
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static void *worker(void *unused) {
  putchar('a');
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, worker, NULL);
  exit(0);
}
