// race: unsafe lines 7 14 — exit flushes the stream that a thread uses without its lock
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static void *worker(void *unused) {
  putchar_unlocked('a');
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, worker, NULL);
  exit(0);
}
