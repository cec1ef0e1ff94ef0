// race: unsafe lines 9 10 — a thread that runs a function of the library has no body here
#include <pthread.h>
#include <stdlib.h>

int main(void) {
  pthread_t t;
  int *p = malloc(sizeof *p);
  if (!p) return 0;
  pthread_create(&t, 0, (void *(*)(void *))(void (*)(void))free, p);
  *p = 1;
  pthread_join(t, 0);
  return 0;
}
