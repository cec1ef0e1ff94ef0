// race: safe — the value is read only where the attempt to join succeeded
#define _GNU_SOURCE
#include <pthread.h>

static int value;

static void *work(void *arg) {
  value = 9;
  return arg;
}

int main(void) {
  pthread_t t;
  int seen = 9;
  pthread_create(&t, NULL, work, NULL);
  if (pthread_tryjoin_np(t, NULL) == 0) {
    seen = value;
  } else {
    pthread_join(t, NULL);
    seen = value;
  }
  return seen - 9;
}
