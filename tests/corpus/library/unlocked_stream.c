// race: safe; deadlock: safe — putchar_unlocked between flockfile and funlockfile
#include <pthread.h>
#include <stdio.h>

static void *dots(void *arg) {
  flockfile(stdout);
  putchar_unlocked('.');
  putchar_unlocked('\n');
  funlockfile(stdout);
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
