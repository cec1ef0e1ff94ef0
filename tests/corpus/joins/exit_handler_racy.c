// race: unsafe lines 9 13 — the handler that runs at exit reads what a thread may still write
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static int progress;

static void report(void) {
  printf("%d\n", progress);
}

static void *work(void *arg) {
  for (int i = 0; i < 3; i++) progress = i;
  return arg;
}

int main(void) {
  pthread_t t;
  atexit(report);
  pthread_create(&t, NULL, work, NULL);
  return 0;
}
