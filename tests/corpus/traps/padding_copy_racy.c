// race: unsafe lines 8 13 — strncpy fills the rest of the buffer with zeros
#include <pthread.h>
#include <string.h>

static char buffer[8] = "abcdefg";

static void *set(void *arg) {
  strncpy(buffer, "x", sizeof buffer);
  return arg;
}

static void *peek(void *arg) {
  *(int *)arg = buffer[6];
  return NULL;
}

int main(void) {
  pthread_t a, b;
  int seen = 0;
  pthread_create(&a, NULL, set, NULL);
  pthread_create(&b, NULL, peek, &seen);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return seen != 'g' && seen != 0;
}
