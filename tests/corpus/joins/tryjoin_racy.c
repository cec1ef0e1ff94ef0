// race: unsafe lines 8 16 — the value is read even where the attempt to join failed
#define _GNU_SOURCE
#include <pthread.h>

static int value;

static void *work(void *arg) {
  value = 9;
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, work, NULL);
  int busy = pthread_tryjoin_np(t, NULL);
  int seen = value;
  if (busy) pthread_join(t, NULL);
  return seen > 9;
}
