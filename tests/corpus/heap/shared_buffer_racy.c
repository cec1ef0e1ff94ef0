// race: unsafe lines 8 — one heap buffer for both threads
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static void *work(void *arg) {
  char *buffer = arg;
  memset(buffer, 'x', 15);
  return NULL;
}

int main(void) {
  pthread_t a, b;
  char *buffer = calloc(1, 16);
  if (!buffer) return 1;
  pthread_create(&a, NULL, work, buffer);
  pthread_create(&b, NULL, work, buffer);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  free(buffer);
  return 0;
}
