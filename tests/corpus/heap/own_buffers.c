// race: safe — every thread allocates, fills and frees a buffer of its own
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static void *work(void *arg) {
  char *buffer = malloc(16);
  if (!buffer) return NULL;
  memset(buffer, 'x', 15);
  buffer[15] = '\0';
  *(size_t *)arg = strlen(buffer);
  free(buffer);
  return NULL;
}

int main(void) {
  pthread_t a, b;
  size_t x = 0, y = 0;
  pthread_create(&a, NULL, work, &x);
  pthread_create(&b, NULL, work, &y);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return x != y;
}
