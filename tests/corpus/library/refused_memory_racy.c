// race: unsafe lines 8 17 — malloc may give NULL
#include <pthread.h>
#include <stdlib.h>

static int x;

static void *writer(void *unused) {
  x = 1;
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, writer, NULL);
  void *p = malloc(16);
  if (p == NULL)
    x = 2;
  pthread_join(thread, NULL);
  return 0;
}
