// race: unsafe lines 6 — putchar_unlocked does not lock the stream
#include <pthread.h>
#include <stdio.h>

static void *dots(void *arg) {
  putchar_unlocked('.');
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, dots, NULL);
  pthread_create(&b, NULL, dots, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
